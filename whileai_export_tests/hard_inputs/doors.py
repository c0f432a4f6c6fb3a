"""A file with hard rows through the doors, and what came out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from whileai_export import ExportError, export_dataset, export_preference
from whileai_export.pipeline.preference import write_pairs
from whileai_export.shared.options import PairOptions, Policy

#: Private words, in the block of every row: no error and no report may repeat them.
PRIVATE = "the amber lantern is under the stairs"

Json = dict[str, Any]


def user(text: Any) -> Json:
    return {"role": "user", "content": text}


def says(text: Any, *calls: Any) -> Json:
    turn = {"role": "assistant", "content": text}
    return {**turn, "tool_calls": list(calls)} if calls else turn


def call(arguments: Any = None, id: str | None = "a", name: Any = "look") -> Json:
    made = {"type": "function", "function": {"name": name, "arguments": arguments}}
    return made if id is None else {"id": id, **made}


def result(text: Any, id: str | None = "a", **rest: Any) -> Json:
    turn = {"role": "tool", "content": text, **rest}
    return turn if id is None else {**turn, "tool_call_id": id}


def row(*turns: Json, **columns: Any) -> Json:
    return {
        "scenario_id": "t",
        "reward": 0.5,
        "privileged": {"note": PRIVATE},
        "messages": [user("Where?"), *turns],
        **columns,
    }


GOOD = row(says("Here."), reward=1.0, rollout_index=0)
POOR = row(says("Somewhere."), reward=0.0, rollout_index=1)


def line(value: Any) -> bytes:
    return value if isinstance(value, bytes) else json.dumps(value).encode() + b"\n"


def written(folder: Path, *rows: Any) -> Path:
    """A simulation's file; bytes stand in it as they are."""
    path = folder / "night.jsonl"
    path.write_bytes(b"".join(map(line, rows)))
    return path


def read(path: Path) -> list[Json]:
    return [json.loads(text) for text in path.read_bytes().split(b"\n")[:-1]]


def exported(folder: Path, *rows: Any, **options: Any) -> tuple[list[Json], Json]:
    """The rows that ``export_dataset`` wrote, and its report."""
    output = folder / "out.jsonl"
    report = export_dataset(written(folder, *rows), output, **options)
    return read(output), report


def turns(folder: Path, *rows: Any, **options: Any) -> list[Json]:
    """The messages of the first row that was written."""
    return exported(folder, *rows, **options)[0][0]["messages"]


def paired(folder: Path, *rows: Any, **options: Any) -> Json:
    """The report of pairing rows; quarantine on, as far as it is needed."""
    policy = Policy(on_bad_row="quarantine", on_leak="quarantine", max_quarantined=0.5)
    made = PairOptions(policy=policy, **options)
    path = folder / "pairs.jsonl"
    with write_pairs(
        written(folder, *rows), {"openai": path}, options=made, quarantine=folder / "kept.jsonl"
    ) as outcome:
        outcome.publish()
        return outcome.report


def kept_out(folder: Path, bad: Any, gate: str, at: str, problem: str) -> None:
    """A bad row between two good ones: refused by line, or kept out with its line and reason."""
    source = written(folder, GOOD, bad, POOR)
    output, kept = folder / "out.jsonl", folder / "kept.jsonl"
    quarantine: Json = {"max_quarantined": 0.5, "quarantine": kept}
    _refused(folder, problem, at, "line 2", lambda: export_dataset(source, output))
    on = {"on_leak" if gate == "privileged_leak" else "on_bad_row": "quarantine"}
    report = export_dataset(source, output, **quarantine, **on)
    assert [told["messages"][1]["content"] for told in read(output)] == ["Here.", "Somewhere."]
    assert report["counts"]["quarantined"] == 1
    _kept(kept, 1, 2, gate, at, problem, bad)
    assert PRIVATE not in json.dumps(report)
    report = paired(folder, GOOD, bad, POOR)
    assert (report["pairs"], report["counts"]["quarantined"]) == (1, 1)
    _kept(kept, 1, 2, gate, at, problem, bad)
    assert PRIVATE not in json.dumps(report)


def kept_out_of_pairs(folder: Path, bad: Any, gate: str, at: str, problem: str) -> None:
    """A pair whose worse side is a bad row, beside a good pair."""
    pairs = [{"chosen": GOOD, "rejected": POOR}, {"chosen": GOOD, "rejected": bad}]
    source = written(folder, *pairs)
    output, kept = folder / "pairs.jsonl", folder / "kept.jsonl"
    place = f"$.rejected{at[1:]}" if gate == "readable" else at
    # A finding counts sides: the second pair's worse one is the fourth.
    _refused(folder, problem, place, "line 2", lambda: export_preference(source, output))
    on = {"on_leak" if gate == "privileged_leak" else "on_bad_row": "quarantine"}
    report = export_preference(source, output, max_quarantined=0.5, quarantine=kept, **on)
    assert (report["pairs"], report["counts"]["quarantined"]) == (1, 1)
    _kept(kept, 1, 2, gate, place, problem, pairs[1])
    assert PRIVATE not in json.dumps(report)


def _refused(folder: Path, problem: str, at: str, where: str, export: Any) -> None:
    before = sorted(folder.iterdir())
    with pytest.raises(ExportError) as refused:
        export()
    told = str(refused.value)
    assert (problem in told, at in told, where in told) == (True, True, True), told
    assert PRIVATE not in told
    assert PRIVATE not in json.dumps(getattr(refused.value, "report", {}))
    assert sorted(folder.iterdir()) == before


def _kept(path: Path, number: int, at_line: int, *said: Any) -> None:
    gate, at, problem, source = said
    [record] = read(path)
    known = {name: record[name] for name in ("row", "line", "gate", "at", "problem")}
    assert known == {
        "row": number,
        "line": at_line,
        "gate": gate,
        "at": at,
        "problem": problem,
    }
    if isinstance(source, dict):
        # A line that is no JSON, as one with NaN, is kept as text.
        kept = record["source"]
        assert (kept if isinstance(kept, str) else json.dumps(kept)) == json.dumps(source)
