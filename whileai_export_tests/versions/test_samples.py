"""Real simulations: every traced line holds the conversation that the row teaches."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from whileai_export.core.clean import without_think
from whileai_export.core.identity import conversation_key
from whileai_export.core.normalize import normalize
from whileai_export.pipeline.exported import conversations
from whileai_export.shared.schema import Message, Surroundings
from whileai_export.versions import reproduce, trace, verify
from whileai_export_tests.versions.homes import Home

SAMPLES = Path(__file__).parents[3] / "shared" / "samples"
TRACED = 100


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A version of all samples."""
    if not SAMPLES.is_dir():
        pytest.skip("the samples are not beside this checkout")
    home = Home(tmp_path_factory.mktemp("home"))
    for path in sorted(SAMPLES.rglob("*.jsonl")):
        if path.name.endswith(".saved.jsonl"):
            continue
        name = path.parent.name if path.stem == "trajectories" else path.stem
        folder = home.simulation(name)
        folder.mkdir(parents=True)
        shutil.copyfile(path, folder / "trajectories.jsonl")
        if (path.parent / "profile.json").is_file():
            shutil.copyfile(path.parent / "profile.json", folder / "profile.json")
        home.export(name, leaks="quarantine", min_reward=0.0)
    home.cut(test=0.2)
    return home


def said(messages: list[Message]) -> bytes:
    """What was said and done after the system prompt; no thoughts, and no unanswered end."""
    turns = [turn for turn in without_think(messages)[0] if turn["role"] != "system"]
    while turns and turns[-1]["role"] != "assistant":
        turns.pop()
    return conversation_key(turns)


def sides(home: Home, found: dict[str, Any]) -> list[bytes]:
    place = next(place for place in found["places"] if place["format"] == "trl")
    lines = (home.shelf.folder("v0001") / place["path"]).read_bytes().split(b"\n")
    row = json.loads(lines[place["line"] - 1])
    return [
        said(normalize({"messages": messages}, Surroundings()).messages)
        for messages in conversations(row)
    ]


def test_a_version_of_all_samples_is_whole_and_comes_out_again(home: Home) -> None:
    assert verify(home.shelf, "v0001").plain()["problems"] == []
    assert reproduce(home.shelf, "v0001", home.simulation)["same"] is True


def test_the_source_line_of_a_row_holds_its_conversation(home: Home) -> None:
    ids = sorted(
        {json.loads(line)["row_id"]
         for path in home.shelf.folder("v0001").glob("*/trl/*/*.jsonl")
         for line in path.read_text("utf-8").splitlines()}
    )  # fmt: skip
    for row_id in random.Random(6).sample(ids, min(TRACED, len(ids))):
        found = trace(home.shelf, "v0001", row_id)
        source = (home.simulation(found["simulation"]) / "trajectories.jsonl").read_bytes()
        lines = source.split(b"\n")
        sources = [
            said(normalize(json.loads(lines[row["line"] - 1]), Surroundings()).messages)
            for row in found["sources"]["rows"]
        ]
        assert sources == sides(home, found), row_id
