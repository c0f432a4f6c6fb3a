"""What must be true of every file that was written, told by a reader that forgives nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

OBJECTS = frozenset({"trl", "trl-completion", "kto"})
_TURNS = ("messages", "prompt", "completion", "chosen", "rejected")
_SIDES = ("preferred_output", "non_preferred_output")
_ROLES = frozenset({"system", "user", "assistant", "tool"})
_RAW = ("\u2028".encode(), "\u2029".encode(), "\u0085".encode(), b"\r", b"\0")


class Invalid(AssertionError):
    """Something that no written file may hold."""


def need(holds: object, problem: str) -> None:
    """Refuse what does not hold."""
    if not holds:
        raise Invalid(problem)


def strict_rows(data: bytes) -> list[dict[str, Any]]:
    """The rows of a written file: one object a line, one line end after each, nothing else."""
    need(data.endswith(b"\n"), "no line end at the end")
    lines = data[:-1].split(b"\n")
    need(not any(raw in data for raw in _RAW), "a byte that must be escaped")
    rows = [strict_json(line.decode("utf-8")) for line in lines]
    need(all(isinstance(row, dict) for row in rows), "a line that is no object")
    return rows


def strict_json(text: str) -> Any:
    """The value of JSON text without NaN, doubled keys, long integers or lone surrogates."""
    value = json.loads(
        text, object_pairs_hook=_once, parse_constant=_refuse, parse_int=_short, parse_float=_finite
    )
    json.dumps(value, ensure_ascii=False).encode("utf-8")
    return value


def check_file(path: Path, format: str, *, judged: bool = True) -> list[dict[str, Any]]:
    """The rows of an SFT or preference file. ``judged``: arguments had to be objects."""
    rows = strict_rows(path.read_bytes())
    need(len({tuple(row) for row in rows}) == 1, "rows with different columns")
    for row in rows:
        for turns in conversations(row):
            check_turns(turns, format, judged)
        _check_columns(row)
    return rows


def conversations(row: dict[str, Any]) -> Iterator[list[dict[str, Any]]]:
    """Every list of turns in a row of any format."""
    yield from (row[name] for name in (*_TURNS, *_SIDES) if isinstance(row.get(name), list))
    if "input" in row:
        yield row["input"]["messages"]


def check_turns(turns: list[dict[str, Any]], format: str, judged: bool) -> None:
    """Turns as every reader of the format wants them."""
    for turn in turns:
        need(turn["role"] in _ROLES, "a role that no template knows")
        need(type(turn["content"]) is str, "content that is no text")
        need(None not in turn.values(), "a null in a turn")
        need(turn.get("tool_calls") != [], "tool_calls without calls")
        need(type(turn.get("tool_call_id", "")) is str, "an id that is no text")
        for call in turn.get("tool_calls", ()):
            _check_call(call, format, judged)


def _check_call(call: dict[str, Any], format: str, judged: bool) -> None:
    need(list(call) == ["id", "type", "function"], "a call of another form")
    need(call["type"] == "function" and type(call["id"]) is str and call["id"], "a call's id")
    need(list(call["function"]) == ["name", "arguments"], "a function of another form")
    name, arguments = call["function"]["name"], call["function"]["arguments"]
    need(type(name) is str and name, "a call without a name")
    if format in OBJECTS:
        need(type(arguments) is dict, "arguments that are no object")
        return
    need(type(arguments) is str, "arguments that are no text")
    if judged:
        need(type(strict_json(arguments)) is dict, "arguments that are no text of an object")


def _check_columns(row: dict[str, Any]) -> None:
    need(row.get("reward") is None or type(row["reward"]) is float, "a reward that is no float")
    for name in ("scenario_id", "row_id", "group_id", "task"):
        need(row.get(name) is None or type(row[name]) is str, f"{name} that is no text")
    if "loss_mask" in row:
        check_mask(row["loss_mask"], row["messages"])


def check_mask(mask: list[int], turns: list[dict[str, Any]]) -> None:
    """One 0 or 1 a turn, 1 on turns of the assistant that say something, alone."""
    need(len(mask) == len(turns), "a mask of another length")
    for carries_loss, turn in zip(mask, turns, strict=True):
        need(type(carries_loss) is int and carries_loss in (0, 1), "a mask of something else")
        if carries_loss:
            need(turn["role"] == "assistant", "loss on a turn that is not the assistant's")
            need(turn["content"].strip() or turn.get("tool_calls"), "loss on a turn without words")


def check_counts(report: dict[str, Any]) -> None:
    """read + unrolled = written + quarantined + filtered + refused."""
    told = report["counts"]
    came = told["read"] + told["unrolled"]
    went = told["written"] + told["quarantined"] + sum(told["filtered"].values()) + told["refused"]
    need(came == went, f"counts that do not add up: {told}")
    need(min(told["filtered"].values(), default=0) >= 0, "a negative count")
    json.dumps(report, allow_nan=False).encode("utf-8")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    need(len(dict(pairs)) == len(pairs), "two values for one key")
    return dict(pairs)


def _refuse(constant: str) -> None:
    raise Invalid(f"{constant} is no JSON")


def _short(digits: str) -> int:
    need(-(2**63) <= int(digits) < 2**64, "an integer past 64 bit")
    return int(digits)


def _finite(digits: str) -> float:
    need(abs(float(digits)) < float("inf"), "a number past all bounds")
    return float(digits)


def quarantined(path: Path) -> list[dict[str, Any]]:
    """The rows that were kept out; under ``source`` each stands as it came, whatever it is."""
    data = path.read_bytes()
    need(data.endswith(b"\n"), "no line end at the end")
    rows = [json.loads(line) for line in data[:-1].split(b"\n")]
    for row in rows:
        need(list(row)[:5] == ["row", "line", "gate", "at", "problem"], "a record of another form")
        need(row["findings"], "a record without a finding")
    need((path.stat().st_mode & 0o777) == 0o600, "a quarantine that others can read")
    return rows
