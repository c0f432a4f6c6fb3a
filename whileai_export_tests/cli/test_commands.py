from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from whileai_export.cli.commands import commands
from whileai_export_tests.cli.calling import call

NAMES = [
    *("demo", "ui", "inspect", "add", "run", "export", "preference", "check", "preview"),
    *("status", "cut"),
    *("versions", "show", "diff", "verify", "trace", "tag", "reproduce"),
]


def test_the_commands_stand_in_the_order_in_which_a_newcomer_needs_them():
    listed = [
        line.split()[0] for line in call("--help").output.split("Commands:")[1].splitlines() if line
    ]
    assert listed == NAMES


def test_the_list_of_commands_says_what_each_does_without_breaking_off():
    assert "..." not in call("--help").output.partition("Commands:")[2]


@pytest.mark.parametrize("name", NAMES)
def test_the_help_of_every_command_ends_with_an_example(name: str):
    done = call(name, "--help")
    assert done.exit_code == 0
    assert f"Example:  whileai-export {name}" in done.output.strip().splitlines()[-1]


def test_the_exit_codes_are_those_of_the_readme():
    said = "Exit codes: 0 done, 1 refused by a gate or nothing left to write, 2 a bad source or a"
    assert said in " ".join(call("--help").output.split())


def test_rows_without_a_reward_are_refused_with_the_option_that_takes_them(tmp_path: Path):
    file, output = tmp_path / "runs.jsonl", tmp_path / "t.jsonl"
    turns = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    file.write_text(json.dumps({"messages": turns}) + "\n", "utf-8")
    done = call("export", file, "-o", output)
    assert done.exit_code == 1
    assert done.output.startswith("refused by min_reward\nmin_reward=0.5: the one readable row is")
    assert done.output.endswith(f" export {file} -o {output} --min-reward none\n")
    told = json.loads(call("export", file, "-o", output, "--json").output)
    assert (told["refused"], told["report"]["counts"]["refused"]) == ("ungraded", 1)
    done = call("inspect", file, "--json")
    assert json.loads(done.output)["refusal"]["code"] == "ungraded"


def test_no_option_makes_pairs_of_rows_without_a_reward(tmp_path: Path):
    file = tmp_path / "runs.jsonl"
    turns = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    file.write_text(json.dumps({"messages": turns}) + "\n", "utf-8")
    done = call("preference", file, "-o", tmp_path / "p.jsonl")
    assert done.exit_code == 1
    assert done.output.endswith(
        "next: grade the rows: a pair is a better and a worse one,"
        " then run the same command again\n"
    )


def test_an_unknown_command_says_what_to_type():
    done = call("exprot")
    assert done.exit_code == 2
    assert "exprot" in done.output


def test_every_option_says_what_it_does():
    silent = [
        f"{name} {option.name}"
        for name, command in commands.commands.items()
        for option in command.params
        if option.param_type_name == "option" and not getattr(option, "help", None)
    ]
    assert silent == []


def test_a_missing_file_is_named_in_one_line(tmp_path: Path):
    done = call("check", tmp_path / "absent.jsonl")
    assert done.exit_code == 2
    assert done.output.splitlines()[-1].startswith("Error: ")
    assert "absent.jsonl" in done.output


def test_a_source_that_cannot_be_read_ends_with_2(tmp_path: Path):
    file = tmp_path / "runs.jsonl"
    file.write_text('{"prompt": "Hi", "final_text": "Hello"}\n{broken\n', "utf-8")
    done = call("check", file)
    assert done.exit_code == 2
    assert done.output.startswith("error: line 2: ")


def test_an_error_for_machines_is_one_document(tmp_path: Path):
    file = tmp_path / "runs.jsonl"
    file.write_text("{broken\n", "utf-8")
    done = call("check", file, "--json")
    assert done.exit_code == 2
    assert json.loads(done.output)["error"] == "SourceError"


@pytest.mark.parametrize("name", ["export", "preference", "check", "preview"])
def test_a_file_of_which_no_row_can_be_read_ends_with_2(name: str, tmp_path: Path):
    file = tmp_path / "runs.jsonl"
    file.write_text("{broken\n{broken\n", "utf-8")
    done = call(name, file)
    assert done.exit_code == 2
    assert "line 1" in done.output
    assert "expected one JSON object on the line" in done.output


def test_a_bad_call_is_a_document_too_where_one_was_asked_for():
    done = call("export", "--bogus", "--json")
    assert done.exit_code == 2
    assert json.loads(done.output)["problem"].startswith("No such option")
    assert json.loads(done.stdout).keys() == {"error", "problem"}


def test_an_option_is_named_in_the_words_of_the_command_line(clean: Path):
    done = call("export", clean, "--max-tokens", "9")
    assert done.exit_code == 2
    assert done.output.startswith("error: --max-tokens: expected --tokenizer FILE, ")


@pytest.mark.parametrize("strict", [(), ("--on-bad-row", "refuse")])
@pytest.mark.parametrize("name", ["export", "preference"])
def test_a_finished_file_of_pairs_is_no_source_and_what_looks_at_it_is_named(
    name: str, strict: tuple[str, ...], clean: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(clean.parent)
    monkeypatch.setattr("sys.argv", ["bin/whileai-export"])
    call("preference", clean, "-o", "pairs.jsonl")
    done = call(name, "pairs.jsonl", *strict)
    assert (done.exit_code, done.output) == (
        2,
        "error: pairs.jsonl: expected graded trajectories, got a finished file of preference pairs"
        " (openai); this looks at it: bin/whileai-export check pairs.jsonl,"
        " and this shows its rows: bin/whileai-export preview pairs.jsonl\n",
    )


def test_a_pair_that_no_command_reads_is_not_sent_to_the_library(tmp_path: Path):
    file = tmp_path / "pairs.jsonl"
    file.write_text('{"prompt": "Hi", "chosen": "Yes", "rejected": "No"}\n', "utf-8")
    assert call("export", file).output == (
        "error: none of 1 row can be read: line 1, $:"
        " expected a trajectory, got a preference pair, which nothing is exported from\n"
    )


@pytest.mark.parametrize(("name", "code"), [("check", 1), ("inspect", 0)])
def test_a_pipe_that_is_closed_changes_no_exit_code(leaking: Path, name: str, code: int):
    words = [sys.executable, "-m", "whileai_export", name, str(leaking)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert (running.stderr.read(), running.wait(60)) == (b"", code)


def test_a_name_with_codes_in_it_reaches_no_terminal(tmp_path: Path):
    file = tmp_path / "a\x1b[2J\x9b.jsonl"
    file.write_text('{"prompt": "Hi", "final_text": "Hello"}\n', "utf-8")
    for words in (["check", file], ["check", f"{file}x"], ["export", file, "--\x1b[2J"]):
        told = call(*words).output
        assert "a\\x1b[2J\\x9b" in told or "--\\x1b[2J" in told
        assert {code for code in told if not code.isprintable()} == {"\n"}


def test_a_file_that_the_system_keeps_closed_is_named_in_one_line(
    clean: Path, monkeypatch: pytest.MonkeyPatch
):
    def closed(*_: object) -> None:
        raise PermissionError(13, "Permission denied", "/home/x/export.toml")

    monkeypatch.setattr("whileai_export.cli.checking.looked_at", closed)
    done = call("check", clean)
    assert done.exit_code == 2
    assert done.output == "error: /home/x/export.toml: permission denied\n"
