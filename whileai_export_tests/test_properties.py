"""What holds for every input."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from whileai_export import ExportError, export_dataset, leak_report, training_rows
from whileai_export.core.arguments import read_arguments
from whileai_export.core.encoding import encode_arguments
from whileai_export.core.needles import needles
from whileai_export.shared.options import FORMATS, PREFERENCE_FORMATS
from whileai_export_tests import strict
from whileai_export_tests.core.test_leak_in_disguise import DISGUISES, TALK, WORDS
from whileai_export_tests.generated import ARGUMENTS, SIMULATIONS, conversations, rows
from whileai_export_tests.in_and_out import exported, in_a_file, paired, says_something

OPTIONS = st.fixed_dictionaries(
    {
        "validate": st.just(False),
        "strip_think": st.booleans(),
        "mask_mode": st.sampled_from(["assistant", "final"]),
        "unroll": st.booleans(),
        "max_tool_output_chars": st.sampled_from([None, 0, 5]),
        "trim_tail": st.booleans(),
        "dedupe": st.booleans(),
        "system_prompt": st.sampled_from([None, "Be brief."]),
    }
)


@given(ARGUMENTS)
def test_arguments_survive_encoding_and_decoding(arguments):
    for format in ("openai", "trl"):
        found, repairs = read_arguments(encode_arguments(arguments, format))
        assert (json.dumps(found), repairs) == (json.dumps(arguments), {})


@given(SIMULATIONS, st.booleans())
def test_normalising_twice_changes_nothing(simulation, unroll):
    once = training_rows(simulation, unroll=unroll)
    assert training_rows(once, unroll=unroll) == once


@given(SIMULATIONS, OPTIONS, st.sampled_from(["openai", "trl"]))
def test_a_training_file_exported_again_with_the_same_options_is_itself(
    simulation, options, format
):
    data, _ = exported(simulation, format=format, **options)
    with tempfile.TemporaryDirectory() as folder:
        assert exported(in_a_file(data, folder), format=format, **options)[0] == data


@given(SIMULATIONS, st.sampled_from(["assistant", "final"]))
def test_a_mask_has_one_entry_a_message_and_only_assistant_turns_are_1(simulation, mode):
    for row in training_rows(simulation, mask_mode=mode):
        assert len(row["loss_mask"]) == len(row["messages"])
        for carries_loss, turn in zip(row["loss_mask"], row["messages"], strict=True):
            assert not carries_loss or says_something(turn)
        assert mode == "assistant" or sum(row["loss_mask"]) <= 1


@given(rows())
def test_unrolled_samples_train_each_turn_that_says_something_exactly_once(row):
    [whole] = training_rows([row])
    spoken = [n for n, turn in enumerate(whole["messages"]) if says_something(turn)]
    samples = training_rows([row], unroll=True)
    if not spoken:
        assert [sum(sample["loss_mask"]) for sample in samples] == [0]
        return
    assert [len(sample["messages"]) - 1 for sample in samples] == spoken
    for sample, end in zip(samples, spoken, strict=True):
        assert sample["messages"] == whole["messages"][: end + 1]
        assert sample["loss_mask"] == [0] * end + [1]


@given(conversations())
def test_every_tool_message_answers_an_earlier_call_of_its_turn(talk):
    [row] = training_rows([{"messages": talk}])
    open_calls: list[str] = []
    for turn in row["messages"]:
        if turn["role"] == "tool":
            assert turn["tool_call_id"] in open_calls
            open_calls.remove(turn["tool_call_id"])
        else:
            open_calls = [call["id"] for call in turn.get("tool_calls", ())]


@given(SIMULATIONS, OPTIONS, st.sampled_from(FORMATS))
def test_every_output_line_parses_with_a_strict_parser(simulation, options, format):
    options = {**options, "unroll": options["unroll"] and format != "kto"}
    data, report = exported(simulation, format=format, **options)
    assert len(strict.strict_rows(data)) == report["n_written"]


BAD = st.sampled_from([7, {}, {"messages": [{"role": "x"}]}, {"chosen": [], "rejected": []}])


@given(st.lists(rows() | BAD, min_size=1, max_size=6), OPTIONS, st.sampled_from([None, 0.5]))
def test_the_counts_add_up(simulation, options, least):
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder) / "kept.jsonl"
        try:
            report = export_dataset(
                *(simulation, Path(folder) / "out.jsonl"),
                **options,
                min_reward=least,
                on_bad_row="quarantine",
                max_quarantined=1.0,
                quarantine=kept,
            )
        except ExportError as refusal:
            assume("left to write" not in str(refusal) and "min_reward" not in str(refusal))
            raise
        strict.check_counts(report)
        records = strict.quarantined(kept) if kept.exists() else []
        assert len(records) == report["counts"]["quarantined"]


@given(SIMULATIONS, st.sampled_from(PREFERENCE_FORMATS))
def test_chosen_and_rejected_share_their_prompt(simulation, format):
    data, report = paired(simulation, format, max_pairs_per_task=3)
    strict.check_counts(report)
    for pair in strict.strict_rows(data) if data else ():
        if format == "openai":
            asks = []
            for side in (pair["chosen"], pair["rejected"]):
                roles = [turn["role"] for turn in side]
                asks.append(side[: roles.index("assistant")])
            assert asks[0] == asks[1]
        elif format != "fireworks":
            assert pair["prompt"]
            assert pair["chosen"] != pair["rejected"]


@given(st.lists(rows(), min_size=2, max_size=6), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_change_the_pairs(simulation, random):
    data, _ = paired(simulation, "openai", max_pairs_per_task=3)
    shuffled = random.sample(simulation, len(simulation))
    assert paired(shuffled, "openai", max_pairs_per_task=3)[0] == data


PLACES = st.sampled_from(["content", "reasoning_content", "think", "arguments", "final_text"])


@given(WORDS, st.sampled_from(DISGUISES), PLACES, TALK)
def test_private_words_in_any_disguise_are_found_wherever_they_are_said(
    value, disguise, place, talk
):
    assume(needles([value]))
    said = f"{talk} {disguise(value)}"
    turn: dict[str, Any] = {"role": "assistant", "content": "Hello."}
    if place == "arguments":
        turn["tool_calls"] = [{"name": "look", "arguments": {"q": ["x", {"deep": said}]}}]
    elif place == "think":
        turn["content"] = f"<think>{said}</think>Hello."
    elif place != "final_text":
        turn[place] = said
    row = {"messages": [{"role": "user", "content": "Where?"}, turn], "privileged": {"a": [value]}}
    report = leak_report([row | ({"final_text": said} if place == "final_text" else {})])
    assert (report["n_checked"], report["n_leaked"]) == (1, 1)


@given(SIMULATIONS)
def test_talk_that_does_not_hold_the_private_words_gives_no_alarm(simulation):
    block = {"note": "the amber lantern is under the stairs", "codes": [48213777]}
    report = leak_report([{**row, "privileged": block} for row in simulation])
    assert (report["n_checked"], report["n_leaked"]) == (len(simulation), 0)
