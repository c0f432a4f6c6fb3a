from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from whileai_export.pipeline.evaluation import load_holdout
from whileai_export.pipeline.sft import write_sft
from whileai_export.shared.careful import CAREFUL_SFT
from whileai_export.shared.errors import GateError, SourceError

TAU = Path(__file__).parents[3] / "shared" / "samples" / "tau_bench_airline"
ROWS = [
    {"scenario_id": f"t{n}", "reward": 1.0, "prompt": f"Where is parcel {n}?",
     "final_text": f"At door {n}."}
    for n in range(5)
]  # fmt: skip


def written(folder: Path, *rows: Any, name: str = "eval.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def blocked(source: Any, *evaluation: Path) -> list[tuple[int, str]]:
    """Rows that the gate names, with the place."""
    options = replace(CAREFUL_SFT, formats=("openai",))
    with write_sft(source, {}, options=options, holdout=load_holdout(evaluation)) as outcome:
        named = outcome.report["findings"]["holdout"]["named"]
        if named:
            assert isinstance(outcome.refusal, GateError)
            assert outcome.refusal.code == "holdout"
        return [(finding["row"], finding["at"]) for finding in named]


@pytest.mark.parametrize(
    ("evaluation", "at"),
    [
        ({"task": "t3"}, "$.task"),
        ({"task_id": "t3"}, "$.task"),
        ({"scenario_id": "t3", "prompt": "Something else."}, "$.task"),
        ({"prompt": "Where is parcel 3?"}, "$.ask"),
        ({"id": "t3"}, "$.task"),
        ({"task": "Where is parcel 3?"}, "$.ask"),
        ({"question": " where is  PARCEL 3 "}, "$.ask"),
        ({"messages": [{"role": "system", "content": "Be kind."},
                       {"role": "user", "content": "Where is parcel 3?"}]}, "$.ask"),
        ({"steps": [{"user": "Thanks."}], "prompt": "Where is parcel 3?"}, "$.ask"),
    ],
)  # fmt: skip
def test_a_row_is_held_out_by_task_or_by_ask(
    tmp_path: Path, evaluation: dict[str, Any], at: str
) -> None:
    assert blocked(ROWS, written(tmp_path, evaluation)) == [(3, at)]


def test_files_add_up(tmp_path: Path) -> None:
    one = written(tmp_path, {"task": "t0"}, name="one.jsonl")
    two = written(tmp_path, {"task": "t4"}, name="two.jsonl")
    assert blocked(ROWS, one, two) == [(0, "$.task"), (4, "$.task")]


def test_other_tasks_pass(tmp_path: Path) -> None:
    assert blocked(ROWS, written(tmp_path, {"task": "t9"}, {"prompt": "Where am I?"})) == []


def test_a_number_names_a_task_too(tmp_path: Path) -> None:
    rows = [{**ROWS[0], "scenario_id": 7}]
    assert blocked(rows, written(tmp_path, {"task_id": 7})) == [(0, "$.task")]


@pytest.mark.parametrize("row", [{}, {"task": ""}, {"answer": "42"}, "text", {"prompt": None}])
def test_a_row_that_names_nothing_is_refused_with_its_line(tmp_path: Path, row: Any) -> None:
    path = written(tmp_path, {"task": "t1"}, row)
    with pytest.raises(SourceError, match=r"line 2: .*eval\.jsonl: expected a row of any shape"):
        load_holdout([path])


def test_a_file_of_blank_lines_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "eval.jsonl"
    path.write_text("\n \n", "utf-8")
    with pytest.raises(SourceError, match=r"eval\.jsonl: expected evaluation rows, got none"):
        load_holdout([path])


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        load_holdout([tmp_path / "eval.jsonl"])


def test_ten_tasks_of_tau_bench_are_blocked_and_named(tmp_path: Path) -> None:
    source = TAU / "airline.trajectories.jsonl"
    if not source.is_file():
        pytest.skip("the tau_bench sample is not beside this checkout")
    rows = [json.loads(line) for line in source.read_text("utf-8").splitlines()]
    tasks = list(dict.fromkeys(row.get("task_id", row.get("scenario_id")) for row in rows))[:10]
    assert blocked(source, written(tmp_path, {"task": "another"})) == []
    found = blocked(source, written(tmp_path, *({"task_id": task} for task in tasks)))
    held = [n for n, row in enumerate(rows) if row.get("task_id", row.get("scenario_id")) in tasks]
    assert [row for row, _ in found] == held[:20]
