from __future__ import annotations

import json
from pathlib import Path

import pytest

from whileai_export_tests.cli.calling import call


def lines(*words: object) -> list[str]:
    done = call("preview", *words)
    assert done.exit_code == 0, done.output
    return done.output.splitlines()


def test_the_first_row_is_shown(clean: Path):
    told = lines(clean)
    assert told[0] == "row 0  line 1  reward 1.0  task workshop-00  rollout 0"
    assert "<think>" not in "".join(told)


def test_a_row_is_shown_by_its_number_alone(clean: Path):
    told = lines(clean, "--row", 5)
    assert told[0] == "row 5  line 6  reward 1.0  task workshop-01  rollout 1"
    assert [line for line in told if line.startswith("row ")] == told[:1]


def test_a_number_that_no_row_has_is_refused(clean: Path, tmp_path: Path):
    done = call("preview", clean, "--row", 48)
    assert done.exit_code == 2
    assert done.output == "error: --row: expected a number from 0 to 47, got 48\n"
    call("preference", clean, "-o", tmp_path / "p.jsonl")
    done = call("preview", tmp_path / "p.jsonl", "--row", 48)
    assert done.output.startswith("error: --row: expected the number of a row of ")


def test_of_a_row_that_an_export_leaves_out_no_turn_is_marked(leaking: Path):
    told = lines(leaking, "-n", 2)
    second = told.index("row 1  line 2  reward 0.0  task parcel-00  rollout 1")
    assert told[second + 1] == (
        "  left out of an export: its reward is below 0.5; a lower --min-reward takes it"
    )
    assert any(" * " in line for line in told[:second])
    assert not any(" * " in line for line in told[second:])


def test_a_row_that_a_gate_keeps_out_is_told_without_its_text(leaking: Path):
    said = json.loads(leaking.read_text("utf-8").splitlines()[7])["privileged"]["reference"]
    assert lines(leaking, "--row", 7, "--full")[0] == (
        "row 7  line 8  kept out: privileged_leak, $.messages[7].content:"
        " quotes 68 characters of privileged `reference`"
    )
    assert said not in call("preview", leaking, "-n", 32, "--full").output


def test_that_an_export_would_be_refused_is_said_with_the_way_on(leaking: Path):
    told = lines(leaking)
    assert told[-3] == (
        "an export of this file would be refused:"
        " privileged_leak: 3 of 32 rows quote their privileged block"
    )
    around = "--system-prompt FILE --tools FILE"
    assert told[-1].endswith(
        f" export {leaking} {around} --on-leak quarantine --max-quarantined 0.1"
    )
    assert not any("the first row that an export writes" in line for line in told)


@pytest.fixture
def late(tmp_path: Path) -> Path:
    """Rows of which an export writes the second and the third."""
    rows = [{"prompt": "Hi", "final_text": f"Hello {n}", "reward": n / 2} for n in range(3)]
    file = tmp_path / "runs.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return file


def test_where_none_of_them_is_taught_it_says_how_to_see_the_first_that_is(late: Path):
    told = lines(late)
    assert told[-2] == "the first row that an export writes is row 1:"
    assert told[-1].endswith(f" preview {late} --row 1")


@pytest.mark.parametrize("asked", [("-n", "1"), ("-n1",), ("--rows=1",), ("--rows", "1")])
def test_the_way_to_see_it_takes_the_place_of_the_rows_that_were_asked_for(
    late: Path, asked: tuple[str, ...]
):
    assert lines(late, *asked, "--full")[-1].endswith(f" preview {late} --full --row 1")


def test_whoever_asked_for_one_row_is_not_sent_to_another(late: Path):
    assert lines(late, "--row", 0)[-1] == "  1   assistant  Hello 0"


def test_for_machines_every_row_has_its_number_and_its_line(leaking: Path):
    leaking.write_text("\n" + leaking.read_text("utf-8"), "utf-8")
    rows = json.loads(call("preview", leaking, "-n", 8, "--json").output)
    assert [(row["row"], row["line"]) for row in rows] == [(n, n + 2) for n in range(8)]
    assert [row.get("left_out") for row in rows[:2]] == [None, "min_reward"]
    assert rows[7] == {
        "row": 7,
        "line": 9,
        "kept_out": {
            "gate": "privileged_leak",
            "at": "$.messages[7].content",
            "problem": "quotes 68 characters of privileged `reference`",
        },
    }


def test_for_machines_a_row_has_the_columns_that_are_published(clean: Path, tmp_path: Path):
    call("export", clean, "-o", tmp_path / "t.jsonl")
    first = (tmp_path / "t.jsonl").read_text("utf-8").splitlines()[0]
    (shown,) = json.loads(call("preview", clean, "--json").output)
    assert shown == {"row": 0, "line": 1, **json.loads(first)}


def test_a_pair_is_shown_side_by_side(clean: Path, tmp_path: Path):
    call("preference", clean, "--format", "trl", "-o", tmp_path / "p.jsonl")
    told = lines(tmp_path / "p.jsonl")
    assert told[0].startswith("row 0  line 1  margin ")
    assert told.count("  chosen  score 1.0") == 1
    assert sum(line.startswith("  rejected  score ") for line in told) == 1
    assert sum(line.startswith("  0   user       Hello, my ") for line in told) == 2
    assert "row" in json.loads(call("preview", tmp_path / "p.jsonl", "--json").output)[0]


def test_codes_that_a_terminal_acts_on_are_written_out(tmp_path: Path):
    said = "a\x1b[2Jb\x07c\x9b1md\x1b]0;title\x07 [red]e[/red]"
    row = {"prompt": said, "final_text": said, "reward": 1.0, "scenario_id": "\x1b[31mt"}
    (tmp_path / "runs.jsonl").write_text(json.dumps(row), "utf-8")
    told = call("preview", tmp_path / "runs.jsonl").output
    assert "task \\x1b[31mt" in told
    shown = "a\\x1b[2Jb\\x07c\\x9b1md\\x1b]0;title\\x07 [red]e[/red]"
    assert f"  0   user       {shown}\n" in told
    assert {code for code in told if not code.isprintable()} == {"\n"}
    document = call("preview", tmp_path / "runs.jsonl", "--json").output
    assert {code for code in document if not code.isprintable()} == {"\n"}
    assert json.loads(document)[0]["prompt"] == said


def test_nothing_is_written(clean: Path, tmp_path: Path):
    call("preview", clean)
    assert [path.name for path in tmp_path.iterdir()] == [clean.name]
