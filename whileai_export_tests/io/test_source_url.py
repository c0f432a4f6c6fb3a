"""Sources at a URL: fetched to a private folder, and gone with it."""

from __future__ import annotations

import pytest

from whileai_export.io.source import opened
from whileai_export.shared.errors import OptionError
from whileai_export_tests.io.sources import TEXT, on_disk, refusal


@pytest.fixture
def store(memory):
    memory.pipe("/sims/shop.jsonl", TEXT)
    memory.pipe("/sims/shop.meta.json", b'{"system_prompt": "Be brief."}')
    memory.pipe("/home/trajectories.jsonl", TEXT)
    memory.pipe("/home/profile.json", b'{"policy": "Be kind."}')
    return memory


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
