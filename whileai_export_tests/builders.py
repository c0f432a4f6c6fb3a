"""Rows and files, with only what matters left to say."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from whileai_export.core.normalize import normalize
from whileai_export.pipeline.job import Job
from whileai_export.shared.options import Policy, SftOptions
from whileai_export.shared.schema import Message, Surroundings, Trajectory

Row = dict[str, Any]
SECRET = {"note": "the amber door code is 4418"}
SYSTEM = "You keep the parcels of a small town."
TOOLS: list[Row] = [
    {
        "type": "function",
        "function": {
            "name": "track",
            "parameters": {"type": "object", "properties": {"parcel": {"type": "string"}}},
        },
    }
]


def steps_row(
    ask: str = "Where is parcel 7?", reply: str = "At the depot.", reward: Any = 1.0, **more: Any
) -> Row:
    """One call of a tool, and a closing answer."""
    step = {"tool": "track", "arguments": {"parcel": "7"}, "result": {"at": "depot"}}
    return {"prompt": ask, "steps": [step], "final_text": reply, "reward": reward, **more}


def chat_row(
    ask: str = "Where is parcel 7?", reply: str = "At the depot.", reward: Any = 1.0, **more: Any
) -> Row:
    """A question and an answer."""
    messages = [{"role": "user", "content": ask}, {"role": "assistant", "content": reply}]
    return {"messages": messages, "reward": reward, **more}


def bad_call_row(**more: Any) -> Row:
    """A call whose arguments are no object."""
    return {**steps_row(), "steps": [{"tool": "track", "arguments": "7]", "result": 1}], **more}


def leaking_row(**more: Any) -> Row:
    """A reply that quotes the row's own privileged block."""
    return chat_row(reply=f"Well, {SECRET['note']}.", privileged=SECRET, **more)


#: Two rollouts of one task, as somebody hands them over.
PAIR: Row = {"chosen": steps_row(), "rejected": steps_row(reply="Lost.", reward=0.0)}


def jsonl(path: Path, rows: Iterable[Any]) -> Path:
    """A file of rows; text stands as it is."""
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path


def rows_of(path: Path) -> list[Row]:
    """The rows of a written file."""
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]


def names(folder: Path) -> list[str]:
    """What lies in a folder."""
    return sorted(path.name for path in folder.iterdir())


def mode(path: Path) -> int:
    """Who may read and write it."""
    return path.stat().st_mode & 0o777


def balanced(report: Row) -> bool:
    """Whether every row that was read is accounted for."""
    told = report["counts"]
    out = told["written"] + told["quarantined"] + sum(told["filtered"].values()) + told["refused"]
    return bool(told["read"] + told["unrolled"] == out)


def trajectory(row: Row, **around: Any) -> Trajectory:
    """The row as the pipeline sees it."""
    return normalize(row, Surroundings(**around))


def messages(row: Row) -> list[Message]:
    """The row's conversation."""
    return trajectory(row).messages


def job(*, validate: bool = True, strict: bool = False, **options: Any) -> Job:
    """A job with the library's defaults but for what is said."""
    policy = Policy(validate=validate, strict=strict)
    return Job(SftOptions(policy=policy, **options), Surroundings())
