"""What the measurements stand on: the peer's environment, the seeded data, the commands."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import venv
from pathlib import Path

import data

HERE = Path(__file__).parent
CACHE = HERE / ".cache"
PEER = "whileai==0.82"
SEED = 11
SFT_KINDS = ("openai", "trl", "unroll")
KINDS = (*SFT_KINDS, "pairs")


def peer_python(given: str | None) -> str:
    """The interpreter that has the pinned peer, installed on first use."""
    if given:
        return given
    folder = CACHE / PEER.replace("==", "-")
    python = folder / "bin" / "python"
    if not (folder / "ready").exists():
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", PEER], check=True)
        (folder / "ready").touch()
    return str(python)


def measure_this_checkout() -> None:
    """Child processes import the package that stands beside this folder."""
    paths = [str(HERE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)


def simulation(rows: int, *, long_task: bool = False) -> Path:
    """A generated simulation, made once and read once, so that no run pays for a cold disk."""
    recipe = hashlib.sha256()
    for name in ("data.py", "world.py"):
        recipe.update((HERE / name).read_bytes())
    tasks = "one_task" if long_task else "tasks_of_4"
    path = CACHE / "data" / f"{tasks}_{rows}_{recipe.hexdigest()[:8]}.jsonl"
    if not path.with_name(f"{path.stem}.meta.json").exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        data.write(rows, path, SEED, long_task=long_task)
    with path.open("rb") as file:
        while file.read(1 << 20):
            pass
    return path


def output(name: str) -> Path:
    folder = CACHE / "out"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{name}.jsonl"


def command_line() -> list[str]:
    """``whileai-export`` of this checkout."""
    return [sys.executable, "-m", "whileai_export"]


WORKER_COUNTS = (1, 2)


def ours(kind: str, workers: int, source: Path, target: Path) -> list[str]:
    job = [sys.executable, str(HERE / "our_job.py"), str(source), str(target)]
    return [*job, kind, str(workers)]


def peers(python: str, kind: str, source: Path, target: Path) -> list[str]:
    return [python, str(HERE / "peer_job.py"), str(source), str(target), kind]


def floor(source: Path, target: Path, written: Path | None = None) -> list[str]:
    job = [sys.executable, str(HERE / "floor.py"), str(source), str(target)]
    return [*job, str(written)] if written else job
