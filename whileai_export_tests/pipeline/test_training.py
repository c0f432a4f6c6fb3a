from __future__ import annotations

import pytest

from whileai_export import export_dataset
from whileai_export.pipeline.training import PAIRS, SFT, length_advice, pair_advice, sft_advice
from whileai_export.shared.options import FORMATS, PREFERENCE_FORMATS, SftOptions
from whileai_export.shared.tally import NO_MARKS


def row(*replies: str, reward: float | None = 1.0) -> dict[str, object]:
    turns = [
        turn
        for reply in replies
        for turn in ({"role": "user", "content": "And?"}, {"role": "assistant", "content": reply})
    ]
    return {"messages": turns, "reward": reward}


def test_every_format_has_its_sentence():
    assert set(SFT) == set(FORMATS)
    assert set(PAIRS) == set(PREFERENCE_FORMATS)


def test_the_report_says_what_the_trainer_does_with_the_mask():
    told = export_dataset([row("yes")], format="trl")
    assert told["training"] == {
        "trl": "TRL reads no mask: assistant_only_loss=True trains every assistant turn, "
        "without it every token is trained"
    }


@pytest.mark.parametrize("options", [{"mask_mode": "final"}, {"unroll": True}])
def test_a_mask_that_trl_does_not_read_is_warned_of(options: dict[str, object]):
    told = export_dataset([row("yes", "no")], format="trl", **options)
    warned = [text for text in told["warnings"] if "trl-completion honours it" in text]
    assert len(warned) == 1
    assert "(1 turn that carries no loss)" in warned[0]


def test_a_mask_that_came_with_the_row_is_warned_of():
    masked = {**row("yes", "no"), "prompt_text": "And?", "loss_mask": [0, 0, 0, 1]}
    told = export_dataset([masked], format="trl")
    assert any("trl-completion honours it" in text for text in told["warnings"])


def test_every_assistant_turn_needs_no_warning():
    told = export_dataset([row("yes", "no")], format="trl")
    assert not any("trl" in text for text in told["warnings"])


def test_kto_of_one_kind_of_rollout_teaches_nothing():
    told = export_dataset([row("yes"), row("no")], format="kto")
    assert told["warnings"][-1] == (
        "every kto row is of a rollout that passed: KTO needs both kinds (min_reward set to none"
        " keeps the failed ones)"
    )
    told = export_dataset([row("yes"), row("no", reward=0.0)], format="kto")
    assert not any("kto" in text.lower() for text in told["warnings"])


def test_foreign_turns_in_kto_completions_are_counted():
    told = export_dataset([row("yes", "no"), row("no", reward=0.0)], format="kto")
    assert any(text.startswith("1 tool or user turn stands") for text in told["warnings"])


def test_a_row_without_a_line_in_a_format_is_counted():
    options = SftOptions(formats=("openai", "kto"))
    told = sft_advice(options, NO_MARKS._replace(passed=1, failed=1), {"kto": 2}, 5)
    assert told[0].startswith("2 of 5 rows have no line in kto: ")


def test_pairs_without_a_line_are_counted():
    assert pair_advice({"trl-completion": 2, "trl": 0}) == [
        "2 pairs have no line in trl-completion: the sides do not part at an assistant turn"
    ]


def test_rows_past_the_limit_are_warned_of():
    assert length_advice({"past_max_tokens": 0}, 10) == []
    (told,) = length_advice({"past_max_tokens": 3}, 10)
    assert told.startswith("3 rows are longer than max_tokens=10")
