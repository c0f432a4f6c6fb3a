from __future__ import annotations

import json
from pathlib import Path

import pytest

from whileai_export.cli.commands import commands
from whileai_export_tests.cli.calling import call

NAMES = [
    *("demo", "ui", "inspect", "add", "run", "export", "preference", "check", "preview"),
    "cut",
    *("versions", "show", "diff", "verify", "trace", "tag", "reproduce"),
]


def test_the_commands_stand_in_the_order_in_which_a_newcomer_needs_them():
    listed = [
        line.split()[0] for line in call("--help").output.split("Commands:")[1].splitlines() if line
    ]
    assert listed == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_the_help_of_every_command_ends_with_an_example(name: str):
    done = call(name, "--help")
    assert done.exit_code == 0
    assert f"Example:  whileai-export {name}" in done.output.strip().splitlines()[-1]


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
