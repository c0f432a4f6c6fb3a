"""The gate by the first-chunk rules; with the loader itself: ``consumers/test_folders.py``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from whileai_export.io.cards import DataFile, dataset_card
from whileai_export.pipeline import reload
from whileai_export.pipeline.reload import check_folder, reload_gate
from whileai_export.shared.errors import GateError

DATES = [{"messages": [{"role": "assistant", "content": "2024-01-01"}]}]
TOLD = "needs the features of its README: texts that look like dates become dates"


@pytest.fixture(autouse=True)
def no_loader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reload, "loader", lambda: None)


def written(folder: Path, rows: list[dict[str, Any]], features: dict[str, str] | None) -> Path:
    path = folder / "sft.trl.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    if features is not None:
        files = {"trl": [DataFile("train", path.name)]}
        card = dataset_card(files, {"trl": features} if features else {}, "")
        (folder / "README.md").write_text(card, "utf-8")
    return path


def report(path: Path, mode: str) -> dict[str, Any]:
    columns = {"messages": ["json"]}
    return {
        "options": {"reload": mode},
        "outputs": [{"path": str(path), "format": "trl", "columns": columns}],
        "findings": {},
        "warnings": [],
    }


def test_a_folder_whose_card_declares_everything_needs_nothing_more(tmp_path: Path):
    written(tmp_path, DATES, {"messages": "list[json]"})
    seen, how = check_folder(tmp_path)
    assert (seen.checked, seen.count) == (1, 0)
    assert how == "by the first-chunk rules; datasets is not installed"


def test_a_card_without_features_is_found_out(tmp_path: Path):
    written(tmp_path, DATES, {})
    seen, _ = check_folder(tmp_path)
    assert [(f.row, f.at, f.problem) for f in seen.named] == [(0, "trl $.messages[].content", TOLD)]


def test_a_text_in_a_column_of_json_is_found_out(tmp_path: Path):
    rows: list[dict[str, Any]] = [{"faults": {"a": 1}}, {"faults": "007"}, {"faults": "a text"}]
    written(tmp_path, rows, {"faults": "json"})
    seen, _ = check_folder(tmp_path)
    assert [(f.row, f.at) for f in seen.named] == [(1, "trl $.faults")]


@pytest.mark.parametrize("mode", ["off", "auto"])
def test_nobody_who_did_not_ask_waits_for_it(tmp_path: Path, mode: str):
    told = report(written(tmp_path, DATES, None), mode)
    assert reload_gate(told, Path, None) is None
    assert told["findings"] == {}


def test_a_file_without_a_card_is_told_of_its_features(tmp_path: Path):
    told = report(written(tmp_path, DATES, None), "warn")
    assert reload_gate(told, Path, None) is None
    assert told["findings"]["reload"]["count"] == 1
    (warning,) = told["warnings"]
    assert warning.endswith("needs declared features, as the snippet under `load` gives them")


def test_on_demand_it_refuses(tmp_path: Path):
    told = report(written(tmp_path, DATES, None), "refuse")
    refusal = reload_gate(told, Path, None)
    assert isinstance(refusal, GateError)
    assert refusal.code == "reload"
    assert refusal.report["findings"]["reload"]["refuses"] is True


def test_staged_files_are_checked_under_the_card_that_comes_with_them(tmp_path: Path):
    path = written(tmp_path, DATES, None)
    files = {"trl": [DataFile("train", path.name)]}
    card = dataset_card(files, {"trl": {"messages": "list[json]"}}, "").encode()
    told = report(path, "refuse")
    assert reload_gate(told, Path, card) is None
    assert told["findings"]["reload"]["summary"] == (
        "reload: 1 row by the first-chunk rules; datasets is not installed, none changes"
    )


def test_dates_in_a_column_of_text_are_found_out(tmp_path: Path):
    written(tmp_path, [{"task": "2024-01-01"}], {"task": "string"})
    seen, _ = check_folder(tmp_path)
    assert [f.at for f in seen.named] == ["trl $.task"]
