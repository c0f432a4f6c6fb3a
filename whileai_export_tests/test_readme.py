"""What the README says is true: its order, and the part that can be run in a second."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from whileai_export import save_simulation
from whileai_export.defs.export_toml import read_decisions
from whileai_export.demo import parcel_desk, workshop_desk
from whileai_export.shared.careful import CAREFUL_PAIRS
from whileai_export.shared.findings import Gate
from whileai_export.shared.options import PairOptions

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def block(language: str, holding: str) -> str:
    return next(body for kind, body in BLOCKS if kind == language and holding in body)


def test_one_sentence_stands_before_the_first_block():
    before = TEXT.split("```", 1)[0].split("\n", 1)[1].strip()
    assert before.count(". ") == 0
    assert before.endswith(".")


def test_the_first_two_blocks_run_the_demo_and_the_tests_from_nothing():
    (first, demo), (second, tests) = BLOCKS[:2]
    assert (first, second) == ("sh", "sh")
    assert demo.splitlines()[0] == tests.splitlines()[0] == "python3 -m venv .venv"
    assert demo.splitlines()[-1] == ".venv/bin/whileai-export demo"
    assert "pytest" in tests.splitlines()[-1]


@pytest.mark.parametrize(
    "page", ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/formats.md"]
)
def test_prose_is_no_wider_than_140_columns(page: str):
    lines = (ROOT / page).read_text("utf-8").splitlines()
    assert [line for line in lines if len(line) > 140 and not line.startswith("{")] == []


@pytest.fixture
def demo_folder(tmp_path: Path) -> Path:
    save_simulation(workshop_desk(), tmp_path / "runs")
    (tmp_path / "runs" / "trajectories.jsonl").rename(tmp_path / "runs.jsonl")
    (tmp_path / "policy.md").write_text(workshop_desk().profile.policy, "utf-8")
    return tmp_path


def ran(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"}
    return subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False
    )


def called(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return ran([sys.executable, "-m", "whileai_export", *words], folder)


def test_the_library_in_five_lines_runs(demo_folder: Path):
    done = ran([sys.executable, "-c", block("python", "export_dataset")], demo_folder)
    assert done.returncode == 0, done.stderr
    assert (demo_folder / "train.jsonl").stat().st_size > 0


def commands_in(body: str) -> list[list[str]]:
    lines = [line for line in body.splitlines() if line.startswith("whileai-export ")]
    return [line.partition("#")[0].split()[1:] for line in lines]


def test_the_commands_on_ones_own_file_run(demo_folder: Path):
    commands = commands_in(block("sh", "whileai-export preference"))
    assert [words[0] for words in commands] == ["preview", "export", "preference", "check"]
    for words in commands:
        done = called(words, demo_folder)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_commands_on_the_sample_run_as_they_are_printed(tmp_path: Path):
    sample_in(tmp_path)
    commands = commands_in(block("sh", "docs/sample.jsonl"))
    assert [words[0] for words in commands] == ["inspect", "export"]
    for words in commands:
        done = called(words, tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "sample.train.jsonl").read_text("utf-8").count("\n") == 1


def test_the_refusal_it_shows_is_the_one_that_comes(tmp_path: Path):
    rows = "".join(json.dumps(row) + "\n" for row in parcel_desk().trajectories)
    (tmp_path / "runs.jsonl").write_text(rows, "utf-8")
    (tmp_path / "policy.md").write_text(parcel_desk().profile.policy, "utf-8")
    shown = block("text", "refused by").splitlines()
    done = called(shown[0].split()[2:], tmp_path)
    told = done.stdout.replace(f"{sys.executable} -m whileai_export", "whileai-export").splitlines()
    assert (done.returncode, told) == (1, shown[1:])


def sample_in(folder: Path) -> None:
    (folder / "docs").mkdir()
    for file in (ROOT / "docs").glob("sample.*"):
        (folder / "docs" / file.name).write_bytes(file.read_bytes())


def sample_rows(tmp_path: Path) -> set[str]:
    """Every line that the commands of docs/formats.md write."""
    formats = (ROOT / "docs" / "formats.md").read_text("utf-8")
    sample_in(tmp_path)
    for line in re.findall(r"^whileai-export (.*)$", formats, re.MULTILINE):
        assert called(line.split(), tmp_path).returncode == 0, line
    written = [path.read_text("utf-8").splitlines() for path in tmp_path.glob("*.jsonl")]
    return {row for rows in written for row in rows}


def test_the_rows_that_are_shown_are_the_rows_that_come(tmp_path: Path):
    pages = TEXT + (ROOT / "docs" / "formats.md").read_text("utf-8")
    shown = set(re.findall(r"^\{.*\}$", pages, re.MULTILINE))
    assert len(shown) == 11
    assert shown - sample_rows(tmp_path) == set()


def test_the_decisions_it_shows_can_be_read(tmp_path: Path):
    (tmp_path / "export.toml").write_text(block("toml", "[defaults]"), "utf-8")
    decisions = read_decisions(tmp_path)
    assert list(decisions.datasets) == [None]
    assert decisions.webhook == "http://127.0.0.1:9000/hook"


def test_every_setting_it_names_is_one_the_code_reads():
    sources = "".join(p.read_text("utf-8") for p in (ROOT / "whileai_export").rglob("*.py"))
    for name in set(re.findall(r"`([A-Z]+_[A-Z_]+)`", TEXT)):
        assert name in sources, name


def test_every_reason_for_which_a_task_gives_no_pair_is_explained():
    pairing = (ROOT / "whileai_export/core/pairing.py").read_text("utf-8")
    explained = set(re.findall(r"^\| `([a-z_]+)` \|", TEXT, re.MULTILINE))
    assert set(re.findall(r'"([a-z_]+)"', pairing)) - explained == set()


def test_every_gate_is_explained_in_a_line():
    explained = re.findall(
        r"^\| `([a-z_]+)` \|.*\| (?:refuses|warns|`--reload)", TEXT, re.MULTILINE
    )
    assert set(explained) == set(get_args(Gate)) - {"readable"}


def test_the_defaults_of_the_library_are_those_it_names():
    assert (
        f"`min_margin={PairOptions().min_margin}` where they have {CAREFUL_PAIRS.min_margin}"
        in (TEXT)
    )


def test_every_picture_is_shown_and_every_one_that_is_shown_is_there():
    shown = set(re.findall(r"\]\(docs/images/(.+?)\)", TEXT))
    assert shown == {path.name for path in (ROOT / "docs" / "images").iterdir()}
