"""The exporters, from a source to a file and a report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from whileai_export import (
    export_dataset,
    export_preference,
    leak_report,
    loss_mask,
)
from whileai_export_tests.builders import (
    PAIR,
    SYSTEM,
    TOOLS,
    bad_call_row,
    balanced,
    chat_row,
    jsonl,
    leaking_row,
    rows_of,
    steps_row,
)


def test_a_path_without_output_is_written_beside_it(tmp_path):
    source = jsonl(tmp_path / "night.jsonl", [steps_row()])
    report = export_dataset(source)
    assert report["path"] == str(tmp_path / "night.train.jsonl")
    assert report["output"]["path"] == report["path"]
    assert rows_of(tmp_path / "night.train.jsonl")[0]["prompt"] == "Where is parcel 7?"


def test_rows_without_output_give_the_report_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    report = export_dataset([steps_row(), chat_row()])
    assert (report["n"], report["path"], report["n_written"], report["output"]) == (
        2,
        None,
        0,
        None,
    )
    assert list(tmp_path.iterdir()) == []


def test_a_generator_is_read_once(tmp_path):
    read = []
    rows = (read.append(n) or steps_row(rollout_index=n) for n in range(3))
    assert export_dataset(rows, tmp_path / "o.jsonl")["n_written"] == 3
    assert read == [0, 1, 2]


def test_a_report_is_json_and_adds_up(tmp_path):
    rows = [steps_row(), leaking_row(), bad_call_row(), chat_row(reward=float("nan")), "{torn"]
    source = jsonl(tmp_path / "s.jsonl", rows)
    report = export_dataset(
        source, on_bad_row="quarantine", on_leak="quarantine", max_quarantined=1.0, unroll=True
    )
    assert json.loads(json.dumps(report, allow_nan=False)) == report
    assert balanced(report)
    assert report["counts"]["quarantined"] == 3


def test_unfit_rows_go_whole_to_a_private_file(tmp_path):
    rows = [*[steps_row()] * 3, bad_call_row(note="é"), "", "{torn", leaking_row()]
    source = jsonl(tmp_path / "s.jsonl", rows)
    output = tmp_path / "o.jsonl"
    report = export_dataset(
        source, output, on_bad_row="quarantine", on_leak="quarantine", max_quarantined=0.6
    )
    kept = tmp_path / "o.jsonl.quarantine.jsonl"
    assert kept.stat().st_mode & 0o777 == 0o600
    told = [(r["row"], r["line"], r["gate"], r["source"]) for r in rows_of(kept)]
    assert told == [
        (3, 4, "tool_call_roundtrip", bad_call_row(note="é")),
        (4, 6, "readable", "{torn"),
        (5, 7, "privileged_leak", leaking_row()),
    ]
    assert report["counts"] == {
        "read": 6, "unrolled": 0, "written": 3, "quarantined": 3, "filtered": {}, "refused": 0,
    }  # fmt: skip


def test_a_quarantine_file_without_rows_any_more_is_withdrawn(tmp_path):
    kept = tmp_path / "o.jsonl.quarantine.jsonl"
    kept.write_text("old\n")
    export_dataset([steps_row()], tmp_path / "o.jsonl", on_bad_row="quarantine")
    assert not kept.exists()


def test_a_url_is_written_in_one_upload(tmp_path):
    fsspec = pytest.importorskip("fsspec")
    output = "memory://one-upload/o.jsonl"
    unfit = {"on_bad_row": "quarantine", "max_quarantined": 0.5}
    report = export_dataset([steps_row(), 7], output, **unfit)
    store = fsspec.filesystem("memory")
    assert report["path"] == output
    assert len(store.cat("/one-upload/o.jsonl")) == report["output"]["bytes"]
    names = ["/one-upload/o.jsonl", "/one-upload/o.jsonl.quarantine.jsonl"]
    assert store.ls("/one-upload", detail=False) == names
    assert not Path("memory:").exists()


def test_pairs_are_written_with_what_was_said_of_them(tmp_path):
    report = export_preference([PAIR], tmp_path / "p.jsonl", SYSTEM, TOOLS)
    row = rows_of(tmp_path / "p.jsonl")[0]
    assert (row["chosen_score"], row["rejected_score"], row["margin"]) == (1.0, 0.0, 1.0)
    assert (report["pairs"], report["n_written"], report["mean_margin"]) == (1, 1, 1.0)
    assert report["counts"]["read"] == report["counts"]["written"] == 1


def test_no_pair_without_validation_is_a_report(tmp_path):
    report = export_preference([], tmp_path / "p.jsonl", validate=False)
    assert (report["pairs"], report["path"], report["n_written"]) == (0, None, 0)
    assert list(tmp_path.iterdir()) == []


def test_the_loss_mask_takes_odd_messages():
    odd = [{}, {"role": None}, {"role": "assistant"}, {"content": "x"}, None, "assistant"]
    assert loss_mask(odd) == [0, 0, 1, 0, 0, 0]


def test_a_leak_report_writes_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    report = leak_report([leaking_row(scenario_id="s", rollout_index=2), steps_row()])
    assert (report["checked"], report["n_checked"], report["n_leaked"]) == (True, 1, 1)
    assert report["leaked"][0]["scenario_id"] == "s"
    assert list(tmp_path.iterdir()) == []


def test_a_leak_report_of_rows_without_a_block_says_that_nothing_was_checked():
    report = leak_report([steps_row()])
    assert report["checked"] is False
    assert report["summary"].startswith("not checked")
