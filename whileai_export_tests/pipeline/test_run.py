from __future__ import annotations

import gzip
import os
import threading
from pathlib import Path

import pytest

from whileai_export import export_dataset
from whileai_export.pipeline import run
from whileai_export_tests.builders import bad_call_row, chat_row, jsonl, rows_of, steps_row


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    monkeypatch.setattr(run, "CHUNK_BYTES", 1500)
    monkeypatch.setattr(run, "CHUNK_ROWS", 3)


@pytest.fixture
def source(tmp_path) -> Path:
    rows: list = [
        chat_row(reply=f"At stop {n % 9}.\u2028", reward=n % 2, scenario_id=f"sc-{n % 5}")
        for n in range(40)
    ]
    rows[7:7] = ["", bad_call_row(), "{torn"]
    rows.append(bad_call_row())
    return jsonl(tmp_path / "s.jsonl", rows)


def shout(row):
    return {**row, "reason": "LOUD"}


UNFIT = {"on_bad_row": "quarantine", "max_quarantined": 0.2}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"dedupe": True, "columns": ["row_id", "task", "reward"]},
        {"unroll": True, "max_per_task": 3},
    ],
    ids=["plain", "deduplicated", "unrolled"],
)
def test_bytes_report_and_quarantine_are_the_same_for_any_number_of_workers(source, options):
    made = []
    for workers in (1, 2, 7):
        output = source.with_name("o.jsonl")
        report = export_dataset(source, output, workers=workers, **UNFIT, **options)
        kept = source.with_name("o.jsonl.quarantine.jsonl")
        made.append((output.read_bytes(), report, kept.read_bytes()))
    assert made[0] == made[1] == made[2]


def test_lines_are_counted_through_all_chunks(source):
    export_dataset(source, source.with_name("o.jsonl"), workers=2, **UNFIT)
    kept = rows_of(source.with_name("o.jsonl.quarantine.jsonl"))
    assert [(row["row"], row["line"]) for row in kept] == [(7, 9), (8, 10), (42, 44)]


def test_a_packed_source_gives_the_same_file(source):
    packed = source.with_name("s2.jsonl.gz")
    packed.write_bytes(gzip.compress(source.read_bytes()))
    for path, workers in ((source, 1), (packed, 1), (packed, 2)):
        export_dataset(path, path.with_name(f"o{workers}"), workers=workers, **UNFIT)
    assert source.with_name("o1").read_bytes() == source.with_name("o2").read_bytes()


def test_an_adapter_is_called_by_name_in_every_worker(source):
    name = f"{__name__}:shout"
    output = source.with_name("o.jsonl")
    report = export_dataset(source, output, adapter=name, workers=2, **UNFIT)
    assert {row["reason"] for row in rows_of(output)} == {"LOUD"}
    assert report["options"]["adapter"] == name


def test_rows_in_memory_stay_in_this_process():
    threads = set()

    def seen(row):
        threads.add((os.getpid(), threading.get_ident()))
        return row

    export_dataset([steps_row()] * 9, workers=2, adapter=seen)
    assert threads == {(os.getpid(), threading.get_ident())}


@pytest.mark.parametrize("workers", [1, 2])
def test_progress_tells_rows_and_bytes_after_every_chunk(source, workers):
    told = []
    export_dataset(source, workers=workers, progress=lambda *done: told.append(done), **UNFIT)
    size = source.stat().st_size
    assert told[-1] == (43, size, size)
    assert told == sorted(told)
    assert len(told) == -(-size // 1500)


def test_progress_knows_no_bytes_of_rows_in_memory():
    told = []
    export_dataset([steps_row()] * 4, progress=lambda *done: told.append(done))
    assert told == [(3, 0, None), (4, 0, None)]


def test_what_progress_raises_stops_the_export(source):
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export_dataset(source, source.with_name("o.jsonl"), workers=2, progress=stop, **UNFIT)
    assert [path.name for path in source.parent.iterdir()] == ["s.jsonl"]


@pytest.mark.parametrize(("unroll", "parts"), [(False, 2), (True, 7)])
def test_a_part_of_rows_that_become_many_lines_has_fewer_rows(tmp_path, monkeypatch, unroll, parts):
    monkeypatch.setattr(run, "CHUNK_BYTES", 8000)
    source = jsonl(tmp_path / "s.jsonl", [chat_row()] * 100)
    done: list[int] = []
    export_dataset(source, unroll=unroll, progress=lambda rows, *_: done.append(rows))
    assert (len(done), done[-1]) == (parts, 100)
