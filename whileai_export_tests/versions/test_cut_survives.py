"""A cut that is killed at any moment leaves whole versions, and nothing else that anybody sees."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from whileai_export.versions import verify
from whileai_export_tests.versions.homes import Home, rows

ROOT = Path(__file__).parents[2]
CUT = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from whileai_export_tests.versions.homes import Home
home = Home(Path(sys.argv[2]))
print("ready", flush=True)
made = home.cut(test=float(sys.argv[3]))
print(made.version, made.new, flush=True)
"""
KILLS = 50


def started(home: Home, share: float) -> subprocess.Popen[str]:
    child = subprocess.Popen(
        [sys.executable, "-c", CUT, str(ROOT), str(home.path), str(share)],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    return child


def visible(home: Home, known: set[str]) -> set[str]:
    """The versions that anybody sees; every one that was not known before is whole."""
    names = set(home.shelf.names())
    assert [name for name in names - known if not verify(home.shelf, name).intact] == []
    assert {home.shelf.latest()} <= names
    return names


@pytest.mark.slow
def test_no_half_version_is_ever_visible(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.add("desk", rows(400))
    home.export("desk")
    child, begin = started(home, 0.001), time.monotonic()
    child.communicate(timeout=60)
    whole = time.monotonic() - begin
    chance = random.Random(6)
    killed, seen = 0, visible(home, set())
    for trial in range(KILLS):
        child = started(home, 0.01 + trial / 1000)
        time.sleep(chance.uniform(0, whole))
        killed += child.poll() is None
        child.kill()
        child.communicate(timeout=60)
        seen = visible(home, seen)
    assert killed >= KILLS // 2
    first, _ = started(home, 0.9).communicate(timeout=60)
    again, _ = started(home, 0.9).communicate(timeout=60)
    assert (first.split()[1], again.split()[1]) == ("True", "False")
    assert len(visible(home, seen)) == len(seen) + 1
    assert home.shelf.latest() == home.shelf.newest()
    left = [path.name for path in home.shelf.root.iterdir() if path.name.startswith(".")]
    assert left == [".lock"]


@pytest.mark.slow
def test_two_cuts_at_once_make_one_version(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.add("desk", rows(100))
    home.export("desk")
    children = [started(home, 0.0) for _ in range(3)]
    said = [child.communicate(timeout=60)[0].split() for child in children]
    assert sorted(said) == [["v0001", "False"], ["v0001", "False"], ["v0001", "True"]]
    assert json.loads((home.shelf.folder("v0001") / "manifest.json").read_text())["parent"] is None
