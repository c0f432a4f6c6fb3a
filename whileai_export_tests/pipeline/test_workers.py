from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from whileai_export import ExportError, OptionError, export_dataset
from whileai_export.pipeline import run, workers
from whileai_export.pipeline.preference import write_pairs
from whileai_export.shared.options import PairOptions
from whileai_export_tests.builders import bad_call_row, chat_row, jsonl, steps_row

ROOT = Path(__file__).parents[2]
UNFIT = {"on_bad_row": "quarantine", "max_quarantined": 0.2}


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    monkeypatch.setattr(run, "CHUNK_BYTES", 1500)


@pytest.fixture
def source(tmp_path) -> Path:
    rows: list = [chat_row(reward=n % 2, scenario_id=f"sc-{n % 5}") for n in range(40)]
    return jsonl(tmp_path / "s.jsonl", [*rows, bad_call_row()])


def kill(row):
    if row.get("fatal"):
        os.kill(os.getpid(), signal.SIGKILL)
    return row


def test_any_executor_does(source):
    export_dataset(source, source.with_name("a"), **UNFIT)
    with ThreadPoolExecutor(3) as executor:
        export_dataset(source, source.with_name("b"), executor=executor, **UNFIT)
        assert executor.submit(int, "7").result() == 7
    assert source.with_name("a").read_bytes() == source.with_name("b").read_bytes()


def test_an_executor_that_takes_no_work_is_refused_by_name(source):
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(OptionError, match="executor: expected one that takes work"):
        export_dataset(source, source.with_name("o.jsonl"), executor=executor, **UNFIT)
    assert not source.with_name("o.jsonl").exists()


def test_a_killed_worker_is_told_with_its_lines_and_leaves_nothing(tmp_path):
    rows = [steps_row()] * 30 + [steps_row(fatal=True)] + [steps_row()] * 9
    source = jsonl(tmp_path / "s.jsonl", rows)
    with pytest.raises(ExportError, match=r"a worker died over the lines from \d+ on"):
        export_dataset(source, tmp_path / "o.jsonl", workers=2, adapter=kill)
    assert [path.name for path in tmp_path.iterdir()] == ["s.jsonl"]


def wait(row):
    with Path(os.environ["PIDS"]).open("a") as pids:
        pids.write(f"{os.getpid()}\n")
    time.sleep(120)
    return row


def alive(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_workers_end_when_their_parent_was_killed(source, tmp_path):
    pids = tmp_path / "pids"
    code = (
        "from whileai_export import export_dataset\n"
        "from whileai_export.pipeline import run\n"
        "run.CHUNK_BYTES = 1500\n"
        f"export_dataset({str(source)!r}, workers=2, adapter='{__name__}:wait')\n"
    )
    place = {**os.environ, "PIDS": str(pids)}
    parent = subprocess.Popen([sys.executable, "-c", code], env=place, cwd=ROOT)
    try:
        until(lambda: pids.exists() and len(set(pids.read_text().split())) == 2)
    finally:
        parent.kill()
        parent.wait()
    until(lambda: not any(map(alive, pids.read_text().split())))


def until(reached) -> None:
    """Half a minute is enough for anything here."""
    for _ in range(300):
        if reached():
            return
        time.sleep(0.1)
    raise AssertionError


def test_an_adapter_made_inside_another_function_cannot_be_sent(source):
    with pytest.raises(OptionError, match="adapter: expected one that another process can import"):
        export_dataset(source, workers=2, adapter=lambda row: row, **UNFIT)
    assert export_dataset(source, adapter=lambda row: row, **UNFIT)["n"] == 40


@pytest.mark.parametrize("size", [1500, 1 << 20])
def test_no_process_is_started_for_a_source_of_one_chunk(source, monkeypatch, size):
    monkeypatch.setattr(run, "CHUNK_BYTES", size)
    started = []
    pool = workers.ProcessPoolExecutor

    def starting(*given, **named):
        started.append(given[0])
        return pool(*given, **named)

    monkeypatch.setattr(workers, "ProcessPoolExecutor", starting)
    export_dataset(source, source.with_name("o.jsonl"), workers=2, **UNFIT)
    assert started == ([2] if size == 1500 else [])
    # What cannot be sent is refused all the same: the next source may be longer.
    with pytest.raises(OptionError, match="adapter: expected one that another process can import"):
        export_dataset(source, workers=2, adapter=lambda row: row, **UNFIT)


def paired(source: Path, hands: int) -> tuple[bytes, dict]:
    target = source.with_name("pairs.jsonl")
    with write_pairs(source, {"openai": target}, options=PairOptions(), workers=hands) as made:
        made.publish()
        return target.read_bytes(), made.report


def test_pairs_are_the_same_with_any_number_of_workers(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "BATCH_BYTES", 1000)
    rows = [
        steps_row(reply=f"Reply {n}.", reward=n % 2, rollout_index=n, scenario_id=f"sc-{n // 2}")
        for n in range(20)
    ]
    source = jsonl(tmp_path / "s.jsonl", rows)
    alone = paired(source, 1)
    assert alone[1]["pairs"] == 10
    assert paired(source, 2) == alone
    assert paired(source, 7) == alone
