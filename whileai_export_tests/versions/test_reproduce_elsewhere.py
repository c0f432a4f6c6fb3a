"""The same bytes on another Python, and with any number of workers."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from whileai_export.versions import reproduce
from whileai_export_tests.versions.homes import Home, rows

ROOT = Path(__file__).parents[2]
#: Another interpreter that has a recent orjson; found on the path where nothing is said.
OTHER = "WHILEAI_EXPORT_OTHER_PYTHON"
REPRODUCE = """
import json, sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from whileai_export.versions import Shelf, reproduce
home = Path(sys.argv[2])
found = reproduce(Shelf.of(home), "v0001", lambda name: home / "simulations" / name, workers=2)
print(json.dumps({"python": sys.version_info[:2], "found": found}))
"""


@pytest.fixture
def large(tmp_path: Path) -> Home:
    """A simulation of more than one chunk, with words that Pythons may fold or escape otherwise."""
    home = Home(tmp_path)
    many = [{**row, "final_text": row["final_text"] + " ſtraße İ \u2028 é😀 " + "x" * 900}
            for row in rows(3000)]  # fmt: skip
    home.add("desk", many)
    home.export("desk", formats=("openai", "trl", "trl-completion", "kto", "fireworks"))
    home.cut(test=0.1)
    return home


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 7])
def test_any_number_of_workers_writes_the_same_bytes(large: Home, workers: int) -> None:
    assert reproduce(large.shelf, "v0001", large.simulation, workers=workers)["same"] is True


@pytest.mark.slow
def test_another_python_writes_the_same_bytes(large: Home) -> None:
    python = other_python()
    done = subprocess.run(
        [python, "-c", REPRODUCE, str(ROOT), str(large.path)],
        capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip
    told = json.loads(done.stdout)
    assert told["python"] != list(sys.version_info[:2])
    assert told["found"]["same"] is True


def other_python() -> str:
    here = f"python3.{sys.version_info.minor}"
    names = [f"python3.{minor}" for minor in (13, 12, 11)]
    found = [shutil.which(name) for name in names if name != here]
    for path in filter(None, [os.environ.get(OTHER), *found]):
        asked = [path, "-c", "import orjson; orjson.Fragment"]  # an old one is of no use
        has = subprocess.run(asked, capture_output=True, timeout=60, check=False)
        if has.returncode == 0:
            return path
    pytest.skip(f"no other Python with a recent orjson; {OTHER} may name one")
