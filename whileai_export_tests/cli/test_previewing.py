from __future__ import annotations

import json
from pathlib import Path

from whileai_export.cli.previewing import turns
from whileai_export_tests.cli.calling import call


def test_trained_turns_are_marked_and_calls_stand_below_their_turn():
    row = {
        "messages": [
            {"role": "user", "content": "Hi\nthere"},
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [{"function": {"name": "look", "arguments": '{"at": 1}'}}],
            },
        ],
        "loss_mask": [0, 1],
    }
    assert list(turns(row, None)) == [
        "  0   user       Hi there",
        "  1 * assistant",
        '    *            -> look {"at": 1}',
    ]


def test_long_texts_are_cut():
    row = {"messages": [{"role": "user", "content": "abcdef"}], "loss_mask": [0]}
    assert list(turns(row, 3)) == ["  0   user       abc…"]


def test_the_first_row_is_shown(clean: Path):
    done = call("preview", clean)
    assert done.exit_code == 0, done.output
    assert done.output.startswith("row 0  reward 1.0  scenario_id workshop-00  rollout_index 0\n")
    assert "<think>" not in done.output


def test_a_pair_is_shown_side_by_side(clean: Path, tmp_path: Path):
    call("preference", clean, "--format", "trl", "-o", tmp_path / "p.jsonl")
    done = call("preview", tmp_path / "p.jsonl")
    assert done.exit_code == 0, done.output
    assert done.output.count("-------------") == 2
    assert done.output.count("  0   user       Hello, my ") == 2


def test_for_machines_rows_are_rows(clean: Path):
    assert len(json.loads(call("preview", clean, "-n", 3, "--json").output)) == 3


def test_nothing_is_written(clean: Path, tmp_path: Path):
    call("preview", clean)
    assert [path.name for path in tmp_path.iterdir()] == [clean.name]
