"""SFTTrainer: the trained text, turn by turn, is what the mask says."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from whileai_export import training_rows
from whileai_export.demo import workshop_desk
from whileai_export_tests.consumers.published import MASKS, masks, rows_of, sft
from whileai_export_tests.consumers.trainers import (
    TEMPLATES,
    loaded,
    needs_trainers,
    offline,
    stepped,
    trained_turns,
)

pytestmark = needs_trainers


@pytest.fixture(autouse=True)
def no_network(tmp_path: Path) -> None:
    offline(tmp_path / "cache")


def by_whole_rows(source: object, folder: Path, template: str) -> dict[str, list[int]]:
    """What TRL trains of format ``trl``, row by row."""
    sft(source, folder, ["trl"])
    rows = loaded(folder, "trl")
    trainer = stepped("SFT", rows, template, folder / "out", assistant_only_loss=True)
    return {
        row["row_id"]: list(trained_turns(template, prepared))
        for row, prepared in zip(rows, trainer.train_dataset, strict=True)
    }


def by_turns(source: object, folder: Path, template: str, **mask: Any) -> dict[str, list[int]]:
    """What TRL trains of format ``trl-completion``, its lines put together again."""
    sft(source, folder, ["trl-completion", "trl"], **mask)
    rows = loaded(folder, "trl-completion")
    trainer = stepped("SFT", rows, template, folder / "out", completion_only_loss=True)
    spoken = {row["row_id"]: row["messages"] for row in rows_of(folder / "sft.trl.jsonl")}
    found = {
        name: [0] * sum(message["role"] == "assistant" for message in messages)
        for name, messages in spoken.items()
    }
    for row, prepared in zip(rows, trainer.train_dataset, strict=True):
        *before, last = trained_turns(template, prepared)
        assert (set(before) | {0}, last) == ({0}, 1)
        assert row["completion"] == [spoken[row["row_id"]][len(row["prompt"])]]
        found[row["row_id"]][len(before)] = 1
    return found


@pytest.mark.parametrize("template", TEMPLATES)
def test_trl_trains_every_assistant_turn(tmp_path: Path, template: str):
    expected = masks(workshop_desk(), tmp_path / "masks")
    assert by_whole_rows(workshop_desk(), tmp_path / "rows", template) == expected
    assert {0} not in map(set, expected.values())


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("template", TEMPLATES[:2])
def test_trl_completion_trains_what_the_mask_says(tmp_path: Path, template: str, mask: str):
    expected = masks(workshop_desk(), tmp_path / "masks", **MASKS[mask])
    found = by_turns(workshop_desk(), tmp_path / "rows", template, **MASKS[mask])
    assert found == expected


@pytest.mark.parametrize("mask", ["final", "unroll"])
def test_the_report_of_trl_names_the_format_that_says_the_mask(tmp_path: Path, mask: str):
    report = sft(workshop_desk(), tmp_path, ["trl"], **MASKS[mask])
    assert any("trl-completion honours it" in told for told in report["warnings"])


def test_a_bit_flipped_in_the_source_is_trained_otherwise(tmp_path: Path):
    rows = [row for row in training_rows(workshop_desk()) if row["reward"] == 1.0][:6]
    expected = masks(rows, tmp_path / "masks")
    assert by_turns(rows, tmp_path / "same", TEMPLATES[0]) == expected
    flipped = copy.deepcopy(rows)
    last = len(flipped[3]["loss_mask"]) - 1
    flipped[3]["loss_mask"][last] = 0
    found = by_turns(flipped, tmp_path / "flipped", TEMPLATES[0])
    changed = [name for name in expected if found[name] != expected[name]]
    assert len(changed) == 1
    assert found[changed[0]][:-1] == expected[changed[0]][:-1]
