"""Sources in memory: rows as they are, and what the object around them knows."""

from __future__ import annotations

from collections import UserDict
from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from whileai_export.io.source import opened
from whileai_export.shared.schema import Surroundings
from whileai_export_tests.io.sources import EXPECTED, NOTHING, TEXT, TOOLS, in_memory, refusal

ROWS = [{"prompt": "a"}, {"prompt": "b"}]


def test_an_object_with_trajectories_brings_its_profile():
    profile = SimpleNamespace(policy="Be kind.", tools=TOOLS)
    source = SimpleNamespace(trajectories=ROWS, profile=profile)
    rows, around = in_memory(source)
    assert rows == ROWS
    assert around == Surroundings(
        source_prompt="Be kind.", source_tools=TOOLS, prompt_from="source", tools_from="source"
    )


def test_a_profile_may_be_a_dictionary():
    source = SimpleNamespace(trajectories=ROWS, profile={"policy": "Be kind.", "tools": TOOLS})
    assert in_memory(source)[1].source_prompt == "Be kind."


@pytest.mark.parametrize("profile", [None, {}, SimpleNamespace(policy="", tools=[])])
def test_a_profile_without_anything_says_nothing(profile):
    assert in_memory(SimpleNamespace(trajectories=ROWS, profile=profile)) == (ROWS, NOTHING)


def test_the_trajectories_of_an_object_may_be_a_generator():
    assert in_memory(SimpleNamespace(trajectories=(row for row in ROWS)))[0] == ROWS


def test_a_list_that_carries_prompt_and_tools_brings_them():
    class Rows(list):
        system_prompt = "Be kind."
        tools = TOOLS

    rows, around = in_memory(Rows(ROWS))
    assert rows == ROWS
    assert (around.source_prompt, around.source_tools) == ("Be kind.", TOOLS)


def test_prompts_by_their_sha_come_along():
    source = SimpleNamespace(trajectories=ROWS, system_prompts={"ab12": "Be kind."})
    assert in_memory(source)[1].source_prompts == {"ab12": "Be kind."}


def test_a_plain_list_says_nothing_else():
    assert in_memory(ROWS) == (ROWS, NOTHING)


def test_any_iterable_is_read_once():
    begun = []

    class Once:
        def __iter__(self):
            begun.append(True)
            return iter(ROWS)

    assert in_memory(Once())[0] == ROWS
    assert in_memory(tuple(ROWS))[0] == ROWS
    assert in_memory(row for row in ROWS)[0] == ROWS
    assert begun == [True]


def test_no_row_is_read_before_it_is_asked_for():
    def rows():
        yield {"prompt": "a"}
        raise AssertionError("read too far")

    with opened(rows()) as found:
        assert next(iter(found.rows)) == {"prompt": "a"}


@dataclass
class Record:
    prompt: str


class Model:
    def model_dump(self) -> dict[str, str]:
        return {"prompt": "a"}


class Row:
    def to_dict(self) -> dict[str, str]:
        return {"prompt": "a"}


@pytest.mark.parametrize("row", [Record("a"), Model(), Row(), UserDict(prompt="a")])
def test_a_row_that_is_an_object_is_the_dictionary_it_stands_for(row):
    assert in_memory([row])[0] == [{"prompt": "a"}]


def test_what_is_no_row_is_left_for_whoever_reads_rows():
    assert in_memory([7, "text", None])[0] == [7, "text", None]


def test_an_object_with_odd_tools_is_refused():
    assert refusal(SimpleNamespace(trajectories=ROWS, tools="look")) == (
        "SimpleNamespace: tools: expected a list of tool schemas, got str"
    )
    assert refusal(SimpleNamespace(trajectories=ROWS, profile={"policy": 7})) == (
        "SimpleNamespace.profile: policy: expected text, got int"
    )


@pytest.mark.parametrize(
    ("source", "got"),
    [
        ({"prompt": "a"}, "one dict (one row is [row])"),
        (None, "NoneType"),
        (7, "int"),
        (b"rows.jsonl", "bytes"),
        (SimpleNamespace(trajectories="text"), "SimpleNamespace"),
    ],
)
def test_what_holds_no_rows_is_refused(source, got):
    assert refusal(source) == f"expected {EXPECTED}; got {got}"


def test_an_open_file_is_refused(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(TEXT)
    with path.open() as stream:
        assert refusal(stream) == f"expected {EXPECTED}; got an open file (pass its path)"
