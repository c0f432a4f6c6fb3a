from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from whileai_export.cli.mistaken import refuse_mistaken
from whileai_export.shared.errors import SourceError
from whileai_export_tests.cli.calling import call


@pytest.mark.parametrize("name", ["check", "export", "preference", "inspect", "preview"])
def test_a_quarantine_file_is_no_source(name: str, leaking: Path, tmp_path: Path):
    aside = ["--on-leak", "quarantine", "--max-quarantined", "0.1"]
    call("export", leaking, "-o", tmp_path / "t.jsonl", *aside)
    done = call(name, tmp_path / "t.jsonl.quarantine.jsonl")
    assert done.exit_code == 2
    assert "expected rows, got a quarantine file: rows that an export set aside" in done.output


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{\n "n": 1\n}\n', "expected a row a line, got one JSON object over many lines"),
        ("[]", "got one JSON list of 0 entries; jq -c '.[]' writes one a line"),
        ('[\n {"prompt": "Hi"}\n]', "got one JSON list of 1 entry; jq -c '.[]' writes one"),
    ],
)
def test_a_whole_document_is_no_list_of_rows(text: str, problem: str, tmp_path: Path):
    (tmp_path / "report.json").write_text(text, "utf-8")
    with pytest.raises(SourceError) as refused:
        refuse_mistaken(str(tmp_path / "report.json"))
    assert problem in str(refused.value)


@pytest.mark.parametrize("text", ["", "\n\n", "{torn\n{}\n", '{"prompt": "Hi"}', "[1]\n[2]\n"])
def test_what_may_be_rows_is_left_to_whoever_reads_them(text: str, tmp_path: Path):
    (tmp_path / "runs.jsonl").write_text(text, "utf-8")
    refuse_mistaken(str(tmp_path / "runs.jsonl"))
    (tmp_path / "runs.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    refuse_mistaken(str(tmp_path / "runs.jsonl.gz"))
    refuse_mistaken(str(tmp_path))
    refuse_mistaken("s3://box/runs.jsonl")


def test_it_is_one_document_for_machines(tmp_path: Path):
    (tmp_path / "report.json").write_text("{\n}", "utf-8")
    done = call("check", tmp_path / "report.json", "--json")
    assert (done.exit_code, json.loads(done.output)["error"]) == (2, "SourceError")
