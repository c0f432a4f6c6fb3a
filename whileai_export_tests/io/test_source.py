"""Sources: everything that holds rows is opened; everything else is refused with what to pass."""

from __future__ import annotations

import gzip
import json
import os
from collections import UserDict
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import fsspec
import pytest
import zstandard

from whileai_export.io.lines import lines
from whileai_export.io.source import opened
from whileai_export.shared.errors import OptionError, SourceError
from whileai_export.shared.schema import Surroundings

ROWS = [{"prompt": "a"}, {"prompt": "b"}]
TEXT = b'{"prompt": "a"}\n{"prompt": "b"}\n'
TOOLS = [{"type": "function", "function": {"name": "look"}}]
NOTHING = Surroundings()


def refusal(source: object) -> str:
    with pytest.raises(SourceError) as caught, opened(source):
        pass
    return str(caught.value)


def in_memory(source: object) -> tuple[list[object], Surroundings]:
    with opened(source) as found:
        assert found.path is None
        assert found.rows is not None
        return list(found.rows), found.around


def on_disk(source: object) -> tuple[list[bytes], Surroundings]:
    with opened(source) as found:
        assert found.rows is None
        assert found.path is not None
        return [line for _, line in lines(found.path)], found.around


@pytest.fixture
def folder(tmp_path) -> Path:
    place = tmp_path / "shop"
    place.mkdir()
    (place / "trajectories.jsonl").write_bytes(TEXT)
    (place / "profile.json").write_text(json.dumps({"policy": "Be kind.", "tools": TOOLS}))
    return place


# Rows in memory.


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


EXPECTED = "a path to .jsonl, .jsonl.gz or .jsonl.zst, a simulation folder, a URL, or rows"


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


# Paths.


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("rows.jsonl", TEXT),
        ("rows.jsonl.gz", gzip.compress(TEXT)),
        ("rows.jsonl.zst", zstandard.compress(TEXT)),
        ("rows.ndjson", TEXT),
    ],
)
@pytest.mark.parametrize("as_text", [True, False])
def test_a_file_is_opened_by_its_path(tmp_path, name, content, as_text):
    path = tmp_path / name
    path.write_bytes(content)
    with opened(str(path) if as_text else path) as found:
        assert (found.kind, found.label, found.path) == ("file", str(path), path)
    assert on_disk(path) == ([b'{"prompt": "a"}', b'{"prompt": "b"}'], NOTHING)


def test_a_simulation_folder_brings_its_profile(folder):
    with opened(folder) as found:
        assert (found.kind, found.label) == ("folder", str(folder))
        assert found.path == folder / "trajectories.jsonl"
        assert found.around == Surroundings(
            source_prompt="Be kind.",
            source_tools=TOOLS,
            prompt_from="profile",
            tools_from="profile",
        )


def test_a_packed_simulation_folder_is_one_too(folder):
    (folder / "trajectories.jsonl").unlink()
    (folder / "trajectories.jsonl.gz").write_bytes(gzip.compress(TEXT))
    assert on_disk(folder)[0] == [b'{"prompt": "a"}', b'{"prompt": "b"}']


def test_the_sidecar_comes_before_the_profile(folder):
    (folder / "trajectories.meta.json").write_text('{"system_prompt": "Be brief.", "tools": null}')
    around = on_disk(folder / "trajectories.jsonl")[1]
    assert (around.source_prompt, around.prompt_from) == ("Be brief.", "sidecar")
    assert (around.source_tools, around.tools_from) == (TOOLS, "profile")


def test_the_home_folder_is_understood(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "rows.jsonl").write_bytes(TEXT)
    assert len(on_disk("~/rows.jsonl")[0]) == 2


def test_a_missing_file_is_refused_and_the_nearest_is_named(tmp_path):
    (tmp_path / "airline.jsonl").write_bytes(TEXT)
    missing = tmp_path / "airlnie.jsonl"
    assert refusal(missing) == (
        f"{missing}: no such file or folder (did you mean {tmp_path / 'airline.jsonl'}?); "
        f"expected {EXPECTED}"
    )
    assert refusal("no/such/place") == (
        f"no/such/place: no such file or folder; expected {EXPECTED}"
    )


@pytest.mark.parametrize("name", ["rows.csv", "rows.parquet", "rows.jsonl.bz2", "rows"])
def test_another_kind_of_file_is_refused(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(TEXT)
    assert refusal(path) == f"{path}: expected a .jsonl, .jsonl.gz or .jsonl.zst file"


def test_a_folder_without_trajectories_is_refused(tmp_path):
    assert refusal(tmp_path) == (
        f"{tmp_path}: expected a simulation folder with trajectories.jsonl in it, got a folder"
        " without; pass the file itself, or one simulation's folder"
    )


def test_an_empty_file_is_refused(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"")
    assert refusal(path) == f"{path}: expected rows, got an empty file"


@pytest.mark.parametrize("text", ['{"privileged": "swordfish"}', '[{"a": 1}]', "x" * 5000, "a\nb"])
def test_the_text_of_a_row_is_no_path_and_is_not_repeated(text):
    assert f"text of {len(text)} characters: " in refusal(text)
    assert "swordfish" not in refusal(text)


@pytest.mark.parametrize("text", ["rows\0.jsonl", "a\0b/rows.jsonl"])
def test_a_null_byte_is_no_path(text):
    assert refusal(text) == f"{text}: no such file or folder; expected {EXPECTED}"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else and come back")
def test_a_file_that_may_not_be_read_is_refused(tmp_path_factory):
    folder = tmp_path_factory.mktemp("locked")
    path = folder / "rows.jsonl"
    path.write_bytes(TEXT)
    path.chmod(0o600)
    os.seteuid(65534)
    try:
        assert refusal(path) == f"{path}: cannot be read: Permission denied"
    finally:
        os.seteuid(0)


# URLs.


@pytest.fixture
def store():
    memory = fsspec.filesystem("memory")
    memory.store.clear()
    memory.pipe("/sims/shop.jsonl", TEXT)
    memory.pipe("/sims/shop.meta.json", b'{"system_prompt": "Be brief."}')
    memory.pipe("/home/trajectories.jsonl", TEXT)
    memory.pipe("/home/profile.json", b'{"policy": "Be kind."}')
    yield memory
    memory.store.clear()


def test_a_url_is_fetched_with_its_sidecar_and_removed_again(store):
    with opened("memory://sims/shop.jsonl") as found:
        path = found.path
        assert (found.kind, found.label) == ("url", "memory://sims/shop.jsonl")
        assert path.read_bytes() == TEXT
        assert path.parent.stat().st_mode & 0o777 == 0o700
        assert (found.around.source_prompt, found.around.prompt_from) == ("Be brief.", "sidecar")
    assert not path.parent.exists()


def test_a_url_may_be_a_simulation_folder(store):
    lines_, around = on_disk("memory://home")
    assert len(lines_) == 2
    assert (around.source_prompt, around.prompt_from) == ("Be kind.", "profile")


def test_a_file_url_is_a_path(folder):
    with opened(folder.as_uri()) as found:
        assert (found.kind, found.path) == ("folder", folder / "trajectories.jsonl")


def test_a_url_of_nothing_is_refused(store):
    assert refusal("memory://sims/other.jsonl") == "memory://sims/other.jsonl: no such file"
    assert refusal("memory://other") == (
        "memory://other: expected a .jsonl, .jsonl.gz or .jsonl.zst file, or a simulation folder"
        " with trajectories.jsonl in it"
    )


def test_an_unknown_kind_of_url_is_the_callers_mistake():
    with (
        pytest.raises(OptionError, match=r"nosuch://x/rows\.jsonl: this kind of URL"),
        opened("nosuch://x/rows.jsonl"),
    ):
        pass
