from __future__ import annotations

import click
from click.testing import CliRunner

from whileai_export.cli.door import Door
from whileai_export.cli.source import example, json_option, source_argument


@example("show runs.jsonl")
@click.command("show")
@source_argument
@json_option
@click.pass_obj
def show(door: Door, source: str) -> None:
    """A command."""
    click.echo(f"{source} {door.as_json}")


def shown(*words: str) -> str:
    def no_project() -> None:
        raise AssertionError

    return CliRunner().invoke(show, words, obj=Door(no_project)).output  # type: ignore[arg-type]


def test_a_url_is_taken_as_it_is():
    assert shown("s3://bucket/runs.jsonl") == "s3://bucket/runs.jsonl False\n"


def test_a_path_that_leads_nowhere_is_named():
    assert "there is no file or folder 'absent.jsonl'" in shown("absent.jsonl")


def test_json_is_remembered_at_the_door():
    assert shown("memory://runs.jsonl", "--json") == "memory://runs.jsonl True\n"


def test_the_example_stands_in_the_help():
    assert shown("--help").rstrip().endswith("Example:  whileai-export show runs.jsonl")
