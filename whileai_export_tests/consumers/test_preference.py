"""DPOTrainer and KTOTrainer: whose words they score."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from whileai_export.demo import workshop_desk
from whileai_export_tests.consumers.published import KEPT, pairs, sft
from whileai_export_tests.consumers.trainers import (
    TEMPLATES,
    decoded,
    loaded,
    needs_trainers,
    offline,
    stepped,
)

pytestmark = needs_trainers
RESULT = "<tool_response>"


@pytest.fixture(autouse=True)
def no_network(tmp_path: Path) -> None:
    offline(tmp_path / "cache")


@pytest.mark.parametrize("template", TEMPLATES)
def test_dpo_of_single_turns_scores_the_policy_alone(tmp_path: Path, template: str):
    pairs(workshop_desk(), tmp_path, ["trl-completion"])
    rows = loaded(tmp_path, "trl-completion")
    trainer = stepped("DPO", rows, template, tmp_path / "out")
    for row, prepared in zip(rows, trainer.train_dataset, strict=True):
        asked = decoded(template, prepared["prompt_ids"])
        assert asked.endswith("<|im_start|>assistant\n")
        for side in ("chosen", "rejected"):
            text = decoded(template, prepared[f"{side}_ids"])
            assert RESULT not in text
            assert text.count("<|im_end|>") == 1
            assert row[side][0]["content"].strip() in text
        assert prepared["chosen_ids"] != prepared["rejected_ids"]


def test_dpo_of_whole_completions_scores_what_the_report_counts(tmp_path: Path):
    report = pairs(workshop_desk(), tmp_path, ["trl"])
    trainer = stepped("DPO", loaded(tmp_path, "trl"), TEMPLATES[0], tmp_path / "out")
    texts = [
        decoded(TEMPLATES[0], prepared[f"{side}_ids"])
        for prepared in trainer.train_dataset
        for side in ("chosen", "rejected")
    ]
    assert (
        sum(text.count("<|im_start|>user") for text in texts)
        == (report["foreign_turns_in_completions"])
    )
    assert any("trl-completion leaves them out" in told for told in report["warnings"])


@pytest.mark.parametrize("mask_mode", ["assistant", "final"])
def test_kto_scores_what_follows_the_first_trained_turn(tmp_path: Path, mask_mode: str):
    selection = replace(KEPT, dedupe=False)
    sft(workshop_desk(), tmp_path, ["kto"], selection=selection, mask_mode=mask_mode)
    rows = loaded(tmp_path, "kto")
    assert {*rows["label"]} == {True, False}
    trainer = stepped("KTO", rows, TEMPLATES[0], tmp_path / "out")
    assert len(trainer.train_dataset) == len(rows)
    for row, prepared in zip(rows, trainer.train_dataset, strict=True):
        text = decoded(TEMPLATES[0], prepared["completion_ids"])
        assert prepared["label"] == row["label"]
        assert row["completion"][-1]["content"] in text
        assert (RESULT in text) == any(m["role"] == "tool" for m in row["completion"])
        if mask_mode == "final":
            assert text.count("<|im_end|>") == 1
