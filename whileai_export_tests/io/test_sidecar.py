"""What stands beside the rows: read where it is well formed, refused by name where it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from whileai_export.io.sidecar import sidecar_of, stem, surroundings_of_file
from whileai_export.shared.errors import SourceError
from whileai_export.shared.schema import Surroundings


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("shop.jsonl", "shop"),
        ("shop.jsonl.gz", "shop"),
        ("shop.jsonl.zst", "shop"),
        ("shop.saved.jsonl", "shop.saved"),
        ("shop.v1.0.jsonl.gz", "shop.v1.0"),
        ("shop.ndjson", "shop"),
    ],
)
def test_the_stem_is_the_name_without_the_suffix(name, expected):
    assert stem(Path("a") / name) == expected
    assert sidecar_of(Path("a") / name) == Path(f"a/{expected}.meta.json")


def test_without_anything_beside_nothing_is_known(tmp_path):
    assert surroundings_of_file(tmp_path / "rows.jsonl") == Surroundings()


def test_prompts_by_their_sha_are_read(tmp_path):
    (tmp_path / "rows.meta.json").write_text('{"system_prompts": {"ab12": "Be kind."}}')
    assert surroundings_of_file(tmp_path / "rows.jsonl") == Surroundings(
        source_prompts={"ab12": "Be kind."}, prompt_from="sidecar"
    )


def test_what_the_sidecar_leaves_empty_the_profile_gives(tmp_path):
    (tmp_path / "rows.meta.json").write_text('{"system_prompt": "", "tools": []}')
    (tmp_path / "profile.json").write_text('{"policy": "Be kind.", "tools": [{"name": "look"}]}')
    assert surroundings_of_file(tmp_path / "rows.jsonl") == Surroundings(
        source_prompt="Be kind.",
        source_tools=[{"name": "look"}],
        prompt_from="profile",
        tools_from="profile",
    )


def test_a_mark_at_the_start_is_no_text(tmp_path):
    (tmp_path / "rows.meta.json").write_text('{"system_prompt": "Be kind."}', "utf-8-sig")
    assert surroundings_of_file(tmp_path / "rows.jsonl").source_prompt == "Be kind."


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('{"system_prompt": ', "expected one JSON object, got text that is not JSON"),
        ("[1]", "expected one JSON object, got list"),
        ('{"system_prompt": 7}', "system_prompt: expected text, got int"),
        ('{"system_prompts": ["a"]}', "system_prompts: expected an object of texts, got list"),
        ('{"system_prompts": {"a": 1}}', "system_prompts: expected an object of texts, got dict"),
        ('{"tools": {"name": "a"}}', "tools: expected a list of tool schemas, got dict"),
        ('{"tools": "look"}', "tools: expected a list of tool schemas, got str"),
        ('{"tools": ["look"]}', "tools: expected a list of tool schemas, got str"),
    ],
)
def test_a_malformed_sidecar_is_refused_by_name(tmp_path, content, problem):
    path = tmp_path / "rows.meta.json"
    path.write_text(content)
    with pytest.raises(SourceError) as caught:
        surroundings_of_file(tmp_path / "rows.jsonl")
    assert str(caught.value).startswith(f"{path}: {problem}")


def test_a_malformed_profile_is_refused_by_name(tmp_path):
    path = tmp_path / "profile.json"
    path.write_text('{"policy": ["a"]}')
    with pytest.raises(SourceError) as caught:
        surroundings_of_file(tmp_path / "rows.jsonl")
    assert str(caught.value) == f"{path}: policy: expected text, got list"


def test_a_folder_in_place_of_a_sidecar_is_refused(tmp_path):
    (tmp_path / "rows.meta.json").mkdir()
    with pytest.raises(SourceError, match=r"rows\.meta\.json: cannot be read"):
        surroundings_of_file(tmp_path / "rows.jsonl")
