"""The exporters, from a source to a file and a report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from whileai_export import (
    GateError,
    OptionError,
    SourceError,
    export_dataset,
    export_preference,
    leak_report,
    loss_mask,
)
from whileai_export_tests.builders import (
    SYSTEM,
    TOOLS,
    bad_call_row,
    chat_row,
    jsonl,
    leaking_row,
    rows_of,
    steps_row,
)

PAIR = {"chosen": steps_row(), "rejected": steps_row(reply="Lost.", reward=0.0)}


def balanced(report: dict) -> bool:
    told = report["counts"]
    out = told["written"] + told["quarantined"] + sum(told["filtered"].values()) + told["refused"]
    return told["read"] + told["unrolled"] == out


def test_a_path_without_output_is_written_beside_it(tmp_path):
    source = jsonl(tmp_path / "night.jsonl", [steps_row()])
    report = export_dataset(source)
    assert report["path"] == str(tmp_path / "night.train.jsonl")
    assert report["output"]["path"] == report["path"]
    assert rows_of(tmp_path / "night.train.jsonl")[0]["prompt"] == "Where is parcel 7?"


def test_rows_without_output_give_the_report_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    report = export_dataset([steps_row(), chat_row()])
    assert (report["n"], report["path"], report["n_written"], report["output"]) == (2, None, 0, None)
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


def test_private_text_is_nowhere_in_a_report_or_an_error(tmp_path):
    source = jsonl(tmp_path / "s.jsonl", [leaking_row(), steps_row()])
    with pytest.raises(GateError) as caught:
        export_dataset(source)
    assert "4418" not in str(caught.value) + json.dumps(caught.value.report)
    assert "4418" not in json.dumps(export_dataset(source, validate=False))


@pytest.mark.parametrize(
    ("row", "options", "code"),
    [
        (bad_call_row(), {}, "tool_call_roundtrip_invalid"),
        (leaking_row(), {}, "privileged_leak"),
        ({"messages": [{"role": "assistant", "content": "a"}]}, {"strict": True}, "structure_invalid"),
        (bad_call_row(), {"on_bad_row": "quarantine"}, "quarantine_limit"),
        (leaking_row(), {"on_leak": "quarantine"}, "quarantine_limit"),
    ],
)
def test_a_gate_that_refuses_leaves_the_old_file(tmp_path, row, options, code):
    output = tmp_path / "o.jsonl"
    output.write_text("old\n")
    with pytest.raises(GateError) as caught:
        export_dataset([steps_row(), row], output, **options)
    assert caught.value.code == code
    assert str(caught.value).startswith(f"{code}: ")
    assert balanced(caught.value.report)
    assert caught.value.report["counts"]["refused"] == 2
    assert [path.name for path in tmp_path.iterdir()] == ["o.jsonl"]
    assert output.read_text() == "old\n"


def test_every_offender_is_counted_and_twenty_are_named():
    with pytest.raises(GateError) as caught:
        export_dataset([bad_call_row() for _ in range(30)])
    seen = caught.value.report["findings"]["tool_call_roundtrip"]
    assert (seen["count"], len(seen["named"])) == (30, 20)
    assert caught.value.report["tool_call_roundtrip"]["rows"] == list(range(20))


def test_an_unreadable_row_is_refused_whatever_validate_says(tmp_path):
    source = jsonl(tmp_path / "s.jsonl", [steps_row(), "", '{"messages": [{"role": "ghost"}]}', "x"])
    with pytest.raises(SourceError) as caught:
        export_dataset(source, validate=False)
    assert caught.value.line == 3
    assert "1 more rows like it" in str(caught.value)
    assert balanced(caught.value.report)


def test_an_unreadable_row_in_memory_is_named_by_its_number():
    with pytest.raises(SourceError, match="row 1: expected an object"):
        export_dataset([steps_row(), 7])


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


def test_the_source_is_never_taken_for_the_quarantine(tmp_path):
    source = jsonl(tmp_path / "s.jsonl", [steps_row()])
    with pytest.raises(OptionError, match="the output is the source"):
        export_dataset(source, tmp_path / "o.jsonl", on_bad_row="quarantine", quarantine=source)
    assert rows_of(source) == [steps_row()]


def test_the_source_is_never_the_output(tmp_path):
    source = jsonl(tmp_path / "s.jsonl", [steps_row(reward=0.0)])
    (tmp_path / "link.jsonl").symlink_to(source)
    for output in (source, tmp_path / "link.jsonl", tmp_path / "." / "s.jsonl"):
        with pytest.raises(OptionError, match="the output is the source"):
            export_dataset(source, output, min_reward=0.5)
    assert rows_of(source) == [steps_row(reward=0.0)]


def test_nothing_left_to_write_is_refused_with_the_reasons(tmp_path):
    output = tmp_path / "o.jsonl"
    output.write_text("old\n")
    with pytest.raises(SourceError, match="no row is left to write: 2 min_reward"):
        export_dataset([chat_row(reward=0.0)] * 2, output, min_reward=0.5)
    assert output.read_text() == "old\n"


def test_all_rows_ungraded_is_refused_by_the_options_name(tmp_path):
    rows = [chat_row(reward=None), chat_row(reward="1"), 7]
    with pytest.raises(OptionError, match="min_reward=0.5: all 2 readable rows are ungraded"):
        export_dataset(rows, min_reward=0.5, on_bad_row="quarantine", max_quarantined=0.5)


def test_no_rows_at_all_are_refused(tmp_path):
    for rows in ([], iter(())):
        with pytest.raises(SourceError, match="expected rows, got none"):
            export_dataset(rows, tmp_path / "o.jsonl")


def test_a_url_is_written_in_one_upload(tmp_path):
    fsspec = pytest.importorskip("fsspec")
    report = export_dataset([steps_row(), 7], "memory://box/o.jsonl", on_bad_row="quarantine",
                            max_quarantined=0.5)  # fmt: skip
    store = fsspec.filesystem("memory")
    assert report["path"] == "memory://box/o.jsonl"
    assert len(store.cat("/box/o.jsonl")) == report["output"]["bytes"]
    assert store.exists("/box/o.jsonl.quarantine.jsonl")
    assert store.ls("/box", detail=False) == ["/box/o.jsonl", "/box/o.jsonl.quarantine.jsonl"]
    assert not Path("memory:").exists()


def test_pairs_are_written_with_what_was_said_of_them(tmp_path):
    report = export_preference([PAIR], tmp_path / "p.jsonl", SYSTEM, TOOLS)
    row = rows_of(tmp_path / "p.jsonl")[0]
    assert (row["chosen_score"], row["rejected_score"], row["margin"]) == (1.0, 0.0, 1.0)
    assert (report["pairs"], report["n_written"], report["mean_margin"]) == (1, 1, 1.0)
    assert report["counts"]["read"] == report["counts"]["written"] == 1


def test_no_pair_is_refused_by_code(tmp_path):
    with pytest.raises(GateError) as caught:
        export_preference([{**PAIR, "rejected": PAIR["chosen"]}], tmp_path / "p.jsonl")
    assert caught.value.code == "no_preference_pairs"
    assert caught.value.report["equal_dropped"] == 1
    assert list(tmp_path.iterdir()) == []


def test_no_pair_without_validation_is_a_report(tmp_path):
    report = export_preference([], tmp_path / "p.jsonl", validate=False)
    assert (report["pairs"], report["path"], report["n_written"]) == (0, None, 0)
    assert list(tmp_path.iterdir()) == []


def test_the_loss_mask_takes_odd_messages():
    odd = [{}, {"role": None}, {"role": "assistant"}, {"content": "x"}]
    assert loss_mask(odd) == [0, 0, 1, 0]


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


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"format": "parquet"}, "format: expected one of"),
        ({"columns": "reward"}, "columns: expected a list of names, got text"),
        ({"columns": ["privileged"]}, "columns: privileged are private"),
        ({"columns": ["metadata_json"]}, "columns: metadata_json are private"),
        ({"columns": [7]}, "columns: expected names, got int"),
        ({"columns": ["id", "meta_id"]}, "columns: two columns would be called meta_id"),
        ({"workers": 0}, "workers: expected a whole number from 1, got 0"),
        ({"workers": "2"}, "workers: expected a whole number from 1, got '2'"),
        ({"adapter": "nowhere:fn"}, "adapter: expected pkg.mod:function"),
        ({"min_reward": 2}, "min_reward: expected a number from 0 to 1, got 2"),
        ({"strict": "yes"}, "strict: expected true or false"),
        ({"dedupe": 1}, "dedupe: expected true or false"),
        ({"system_prompt": 7}, "system_prompt: expected text, got int"),
        ({"tools": [{"name": "x", "parameters": {"n": {1, 2}}}]}, r"tools\[0\].*expected JSON"),
    ],
)
def test_an_option_that_cannot_be_meant_is_refused_by_name(tmp_path, options, problem):
    for export in (export_dataset, export_preference):
        rows = [steps_row()] if export is export_dataset else [PAIR]
        with pytest.raises(OptionError, match=problem):
            export(rows, tmp_path / "o.jsonl", **options)
    assert list(tmp_path.iterdir()) == []
