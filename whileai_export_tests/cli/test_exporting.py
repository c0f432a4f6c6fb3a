from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from whileai_export_tests.cli.calling import call


def rows(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def test_the_report_for_machines_says_how_every_file_is_loaded(clean: Path, tmp_path: Path):
    wanted = ("--format", "openai", "--format", "trl", "-o", tmp_path / "t.jsonl")
    found = json.loads(call("export", clean, *wanted, "--json").stdout)
    loads = [(output["path"], output["load"]) for output in found["outputs"]]
    assert [Path(path).name for path, _ in loads] == ["t.openai.jsonl", "t.trl.jsonl"]
    assert all(path in load and "load_dataset" in load for path, load in loads)


def test_the_passing_unique_rows_are_written(clean: Path, tmp_path: Path):
    done = call("export", clean, "-o", tmp_path / "t.jsonl")
    assert done.exit_code == 0, done.output
    assert len(rows(tmp_path / "t.jsonl")) == 28
    assert "min_reward 9" in done.output


def test_the_file_lies_beside_the_source_where_nobody_says_where(clean: Path, tmp_path: Path):
    call("export", clean)
    call("preference", clean)
    made = {path.name for path in tmp_path.iterdir()} - {clean.name}
    assert made == {"workshop_desk.train.jsonl", "workshop_desk.preference.jsonl"}


def test_each_of_several_formats_has_a_file_of_its_own(clean: Path, tmp_path: Path):
    call("export", clean, "-o", tmp_path / "t.jsonl", "--format", "openai", "--format", "trl")
    made = {path.name for path in tmp_path.iterdir()} - {clean.name}
    assert made == {"t.openai.jsonl", "t.trl.jsonl"}


def test_the_given_system_prompt_comes_first(clean: Path, tmp_path: Path):
    policy = tmp_path / "policy.md"
    policy.write_text("Be kind.", "utf-8")
    call("export", clean, "--system-prompt", policy, "-o", tmp_path / "t.jsonl")
    first = rows(tmp_path / "t.jsonl")[0]["messages"]
    assert isinstance(first, list)
    assert first[0] == {"role": "system", "content": "Be kind."}


def test_a_refusal_names_rows_and_the_command_that_goes_on(leaking: Path, tmp_path: Path):
    done = call("export", leaking, "-o", tmp_path / "t.jsonl")
    assert done.exit_code == 1
    assert not (tmp_path / "t.jsonl").exists()
    assert "privileged_leak: 3 of 32 rows quote the grader's private block" in done.output
    assert "row 7" in done.output
    last = done.output.rstrip().splitlines()[-1]
    assert last.endswith("--on-leak quarantine --max-quarantined 0.1")


def test_the_command_it_names_goes_on(leaking: Path, tmp_path: Path):
    words = ["export", leaking, "-o", tmp_path / "t.jsonl"]
    done = call(*words, "--on-leak", "quarantine", "--max-quarantined", "0.1")
    assert done.exit_code == 0, done.output
    aside = tmp_path / "t.jsonl.quarantine.jsonl"
    assert [row["row"] for row in rows(aside)] == [7, 18, 27]
    assert done.output.endswith(f"\n3 rows set aside: {aside}  (private)\n")


def test_a_refusal_for_machines_is_one_document(leaking: Path, tmp_path: Path):
    done = call("export", leaking, "-o", tmp_path / "t.jsonl", "--json")
    told = json.loads(done.output)
    assert (done.exit_code, told["refused"]) == (1, "privileged_leak")
    assert told["report"]["findings"]["privileged_leak"]["count"] == 3
    assert told["next"].endswith("--on-leak quarantine --max-quarantined 0.1")


def test_pairs_are_written(clean: Path, tmp_path: Path):
    done = call("preference", clean, "--format", "trl", "-o", tmp_path / "p.jsonl")
    assert done.exit_code == 0, done.output
    assert {"prompt", "chosen", "rejected"} <= rows(tmp_path / "p.jsonl")[0].keys()


def test_nothing_to_write_leaves_the_former_file(clean: Path, tmp_path: Path):
    target = tmp_path / "t.jsonl"
    target.write_text("former\n", "utf-8")
    graded_down = clean.read_text("utf-8").replace('"reward": 1.0', '"reward": 0.1')
    clean.write_text(graded_down.replace('"reward": 0.6', '"reward": 0.1'), "utf-8")
    done = call("export", clean, "-o", target)
    assert done.exit_code == 1
    assert "nothing is written" in done.output
    assert target.read_text("utf-8") == "former\n"


def test_a_folder_needs_a_place_to_write_to(clean: Path, tmp_path: Path):
    clean.rename(tmp_path / "trajectories.jsonl")
    done = call("export", tmp_path)
    assert done.exit_code == 2
    assert "say with -o FILE where to write" in done.output


def test_pairs_name_the_file_of_rows_that_were_set_aside(leaking: Path, tmp_path: Path):
    words = ["preference", leaking, "-o", tmp_path / "p.jsonl", "--json"]
    done = call(*words, "--on-leak", "quarantine", "--max-quarantined", "0.1")
    assert json.loads(done.output)["quarantine"] == str(tmp_path / "p.jsonl.quarantine.jsonl")


def test_where_no_row_was_set_aside_no_file_is_named(clean: Path, tmp_path: Path):
    done = call("export", clean, "-o", tmp_path / "t.jsonl", "--json")
    assert json.loads(done.output)["quarantine"] is None


def test_what_is_missing_is_said_with_the_option_that_gives_it(clean: Path, tmp_path: Path):
    lines = call("export", clean, "-o", tmp_path / "t.jsonl").output.splitlines()
    told = [" ".join(line.split()) for line in lines]
    assert "tools missing on 48 rows: give --tools FILE" in told
    assert "warning 28 rows have no tool schemas while tools are called (give --tools FILE)" in told


def test_a_url_is_written_to_its_store_and_to_no_folder(
    memory: Any, clean: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    both = ["--format", "openai", "--format", "trl"]
    done = call("export", clean, "-o", "memory://box/o.jsonl?token=abc", "--format", "trl")
    assert "28 rows, trl: memory://box/o.jsonl\n" in done.output
    done = call("preference", clean, "-o", "memory://box/p.jsonl", *both)
    assert done.exit_code == 0, done.output
    assert memory.exists("/box/p.openai.jsonl")
    assert memory.exists("/box/p.trl.jsonl")
    assert [path.name for path in tmp_path.iterdir()] == [clean.name]


def test_rows_go_to_a_store_only_where_a_store_is_named_for_them(
    memory: Any, leaking: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    words = ["export", leaking, "-o", "memory://box/o.jsonl"]
    words += ["--on-leak", "quarantine", "--max-quarantined", "0.1"]
    done = call(*words)
    assert done.output.endswith("\n3 rows set aside: o.jsonl.quarantine.jsonl  (private)\n")
    assert len(rows(tmp_path / "o.jsonl.quarantine.jsonl")) == 3
    assert not memory.exists("/box/o.jsonl.quarantine.jsonl")
    call(*words, "--quarantine", "memory://box/q.jsonl")
    assert memory.exists("/box/q.jsonl")


def test_a_url_of_this_machine_is_a_path(clean: Path, tmp_path: Path):
    done = call("export", f"file://{clean}", "-o", f"file://{tmp_path}/made/t.jsonl")
    assert f"28 rows, openai: {tmp_path}/made/t.jsonl\n" in done.output
    assert len(rows(tmp_path / "made" / "t.jsonl")) == 28


@pytest.mark.parametrize(("command", "kind"), [("export", "train"), ("preference", "preference")])
def test_the_help_says_where_files_go_when_nobody_says_where(command: str, kind: str):
    told = " ".join(call(command, "--help").output.split())
    assert f"[<stem>.{kind}.jsonl beside FILE]" in told
    assert "[<output>.quarantine.jsonl; of a URL that name in this folder]" in told


def test_findings_that_refuse_nothing_are_told_by_row_line_and_place(clean: Path, tmp_path: Path):
    told = [json.loads(line) for line in clean.read_text("utf-8").splitlines()]
    told[5]["messages"][0]["content"] += " My key is sk-ant-api03-" + "A1b2C3d4" * 6
    clean.write_text("".join(json.dumps(row) + "\n" for row in told), "utf-8")
    for command in ("export", "preference", "inspect", "check"):
        where = ["-o", tmp_path / "t.jsonl"] if command in ("export", "preference") else []
        lines = [" ".join(line.split()) for line in call(command, clean, *where).output.split("\n")]
        found = lines.index("secrets 48 rows checked, 1 row with findings")
        assert lines[found + 1].startswith("row 5 line 6 $.messages[0].content "), lines


def test_a_column_that_no_row_has_is_warned_of(clean: Path, tmp_path: Path):
    done = call("export", clean, "-o", tmp_path / "t.jsonl", "-c", "nope", "-c", "reason")
    assert "  warning              columns: no written row has nope\n" in done.output
