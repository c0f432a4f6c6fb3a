from __future__ import annotations

import pytest

from whileai_export.io.staging import Staging
from whileai_export.pipeline.outcome import Outcome
from whileai_export.pipeline.sft import write_sft
from whileai_export.shared.errors import GateError, SourceError
from whileai_export.shared.options import Policy, SftOptions
from whileai_export_tests.builders import chat_row, names


def outcome(folder, refusal=None, outputs=("openai",), **more):
    staging = Staging()
    targets = {name: folder / f"{name}.jsonl" for name in ("openai", "trl")}
    for name in outputs:
        staging.open(targets[name]).write(b"new\n")
    report = {"outputs": [{"format": name} for name in outputs], "options": {"reload": "off"}}
    return Outcome(report, refusal, staging, targets, empty=not outputs, **more)


def test_publishing_brings_the_whole_set(tmp_path):
    with outcome(tmp_path, outputs=("openai", "trl")) as made:
        made.add(tmp_path / "README.md", b"card\n")
        written = made.publish(last=tmp_path / "README.md")
    assert names(tmp_path) == ["README.md", "openai.jsonl", "trl.jsonl"]
    assert written[-1].path.endswith("README.md")


def test_leaving_discards(tmp_path):
    with outcome(tmp_path):
        pass
    assert names(tmp_path) == []


def test_a_refusal_is_raised_and_leaves_the_old_files(tmp_path):
    (tmp_path / "openai.jsonl").write_text("old\n")
    with outcome(tmp_path, SourceError("no")) as made, pytest.raises(SourceError, match="no"):
        made.publish()
    assert names(tmp_path) == ["openai.jsonl"]
    assert (tmp_path / "openai.jsonl").read_text() == "old\n"


def test_files_that_got_no_rows_are_withdrawn_with_those_of_former_runs(tmp_path):
    for name in ("trl.jsonl", "quarantine.jsonl"):
        (tmp_path / name).write_text("old\n")
    with outcome(tmp_path, former=(tmp_path / "quarantine.jsonl", "s3://box/q")) as made:
        made.publish()
    assert names(tmp_path) == ["openai.jsonl"]


def test_what_a_loader_would_change_is_not_written_where_that_refuses(tmp_path):
    days = [chat_row(reply="2024-01-01", ask=f"Which day, {n}?") for n in range(2)]
    target = tmp_path / "o.jsonl"
    options = SftOptions(columns=("day",), policy=Policy(reload="refuse"))
    rows = [{**row, "day": "2024-01-01"} for row in days]
    with write_sft(rows, {"openai": target}, options=options) as made:
        assert made.report["n_written"] == 2
        with pytest.raises(GateError, match="reload: ") as refused:
            made.publish()
    told = refused.value.report
    assert (told["path"], told["n_written"]) == (None, 0)
    assert names(tmp_path) == []
