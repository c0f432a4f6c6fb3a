from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from whileai_export.io.part import one_at_a_time
from whileai_export.versions.parts import take
from whileai_export_tests.versions.homes import Home, row, rows


def reasons(home: Home, folder: Path) -> dict[str, str]:
    folder.mkdir()
    return {entry["kind"]: entry["reason"] for entry in take(home.parts(), folder)[1]}


def test_parts_are_taken_in_one_order_with_their_files_held(home: Home, tmp_path: Path) -> None:
    home.add("alpha", rows(2))
    home.export("alpha")
    (tmp_path / "held").mkdir()
    taken, left_out = take(reversed(home.parts()), tmp_path / "held")
    assert [(t.part.kind, t.part.simulation) for t in taken] == [
        ("sft", "alpha"), ("sft", "desk"), ("preference", "alpha"), ("preference", "desk"),
    ]  # fmt: skip
    assert left_out == []
    assert len(list((tmp_path / "held").iterdir())) == 8


def test_a_file_that_is_not_the_reported_one_is_left_out(home: Home, tmp_path: Path) -> None:
    path = home.published("sft", "desk") / "sft.trl.jsonl"
    path.write_bytes(path.read_bytes() + b"{}\n")
    found = reasons(home, tmp_path / "held")
    assert found["sft"].startswith("sft.trl.jsonl: its sha256 is ")
    assert list(found) == ["sft"]


def test_a_file_that_is_gone_is_left_out(home: Home, tmp_path: Path) -> None:
    (home.published("sft", "desk") / "sft.trl.jsonl").unlink()
    assert reasons(home, tmp_path / "held") == {"sft": "sft.trl.jsonl is gone"}


def test_what_nobody_published_is_left_out(home: Home, tmp_path: Path) -> None:
    (home.published("sft", "desk") / "report.json").unlink()
    assert reasons(home, tmp_path / "held") == {"sft": "nothing is published"}


def test_a_damaged_report_is_left_out(home: Home, tmp_path: Path) -> None:
    (home.published("sft", "desk") / "report.json").write_text("{")
    assert reasons(home, tmp_path / "held") == {"sft": "report.json is damaged"}


def test_a_report_of_another_simulation_is_left_out(home: Home, tmp_path: Path) -> None:
    report = home.published("sft", "desk") / "report.json"
    report.write_text(json.dumps({**json.loads(report.read_text()), "simulation": "alpha"}))
    assert reasons(home, tmp_path / "held") == {"sft": "report.json is of the simulation alpha"}


def test_a_cut_waits_for_whoever_publishes(home: Home, tmp_path: Path) -> None:
    folder = home.published("sft", "desk")
    held = Event()

    def publish() -> None:
        with one_at_a_time([folder]):
            (folder / "report.json").rename(tmp_path / "report.json")
            held.set()
            time.sleep(0.5)
            (tmp_path / "report.json").rename(folder / "report.json")

    with ThreadPoolExecutor(1) as others:
        done = others.submit(publish)
        held.wait()
        assert reasons(home, tmp_path / "held") == {}
        done.result()


def test_a_simulation_of_which_nothing_qualified_is_left_out(home: Home, tmp_path: Path) -> None:
    home.add("desk", [row("t1", 0, 1.0), row("t2", 0, 1.0)])
    home.export("desk")
    assert reasons(home, tmp_path / "held") == {"preference": "nothing qualified: 0 rows"}


@pytest.mark.parametrize("kind", ["sft", "preference"])
def test_files_of_rows_that_were_staged_again_since_are_left_out(
    home: Home, tmp_path: Path, kind: str
) -> None:
    report = home.published(kind, "desk") / "report.json"
    found = json.loads(report.read_text())
    report.write_text(json.dumps({**found, "upstream": {"sha256": "0" * 64}}))
    assert reasons(home, tmp_path / "held") == {
        kind: "its training_rows were staged again since; materialize it again"
    }
