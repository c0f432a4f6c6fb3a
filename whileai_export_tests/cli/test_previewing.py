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


def test_of_a_row_that_an_export_leaves_out_no_turn_is_marked(leaking: Path):
    lines = call("preview", leaking, "-n", 2).output.splitlines()
    second = lines.index("row 1  reward 0.0  scenario_id parcel-00  rollout_index 1")
    assert lines[second + 1] == (
        "  left out of an export: its reward is below 0.5; a lower --min-reward takes it"
    )
    assert any(" * " in line for line in lines[:second])
    assert not any(" * " in line for line in lines[second:])


def test_where_none_of_them_is_taught_it_says_how_to_see_the_first_that_is(tmp_path: Path):
    rows = [{"prompt": "Hi", "final_text": f"Hello {n}", "reward": n / 2} for n in range(3)]
    file = tmp_path / "runs.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    lines = call("preview", file).output.splitlines()
    assert lines[-2] == "the first row that an export writes is row 1:"
    assert lines[-1].endswith(f" preview {file} -n 2")


def test_machines_are_told_what_is_left_out_too(leaking: Path):
    rows = json.loads(call("preview", leaking, "-n", 2, "--json").output)
    assert [row.get("left_out") for row in rows] == [None, "min_reward"]


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
