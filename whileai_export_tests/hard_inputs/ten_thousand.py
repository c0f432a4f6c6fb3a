"""10,000 rows with one of each bad kind among them, quarantine on.

``python -m whileai_export_tests.hard_inputs.ten_thousand`` prints what was written, what was kept
out, and the peak memory.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from whileai_export import export_dataset
from whileai_export_tests.hard_inputs.doors import call, line, read, result, row, says
from whileai_export_tests.hard_inputs.test_arguments import AT, BAD, MALFORMED, asking
from whileai_export_tests.hard_inputs.test_content import PARTS
from whileai_export_tests.hard_inputs.test_files import BROKEN
from whileai_export_tests.hard_inputs.test_privileged import PROBLEM, SPOKEN

ROWS = 10_000


class BadKind(NamedTuple):
    """A bad row, and what its record in quarantine must say."""

    row: Any
    gate: str
    at: str
    problem: str


def bad_kinds() -> list[BadKind]:
    """One row of each kind."""
    gate = "tool_call_roundtrip"
    found = [BadKind(asking(made), gate, AT, problem) for made, problem, _ in BAD.values()]
    for calls, place, problem in MALFORMED.values():
        turn = {**says("x"), "tool_calls": calls}
        at = f"$.messages[1].tool_calls{place}"
        found.append(BadKind(row(turn), "readable", at, problem))
    for kind, part in PARTS.items():
        problem = f"expected a text part, got one of kind '{kind}'"
        found.append(BadKind(row(says([part])), "readable", "$.messages[1].content[0]", problem))
    found += [BadKind(data, "readable", "$", problem) for data, problem in BROKEN.values()]
    found += [BadKind(made, "privileged_leak", at, PROBLEM) for made, at in SPOKEN.values()]
    problem = "expected the role of a chat turn, got 'critic'"
    found.append(
        BadKind(row({"role": "critic", "content": "x"}), "readable", "$.messages[1].role", problem)
    )
    return found


def good_row(number: int) -> dict[str, Any]:
    """A row of the usual length."""
    text = f"Row {number}. " + "It is where you left it, behind the second door. " * 20
    turns = says(f"<think>{text}</think>I look.", call({"x": number})), result({"found": text})
    return row(*turns, says(text), reward=number % 2, scenario_id=f"s{number // 4}")


def write(path: Path) -> dict[int, BadKind]:
    """The file, bad rows spread over it; which line each of them has."""
    kinds = bad_kinds()
    apart = ROWS // len(kinds)
    lines: dict[int, BadKind] = {}
    number = 0
    with path.open("wb") as file:
        for n in range(ROWS - len(kinds)):
            if n % apart == apart // 2 and kinds:
                number += 1
                lines[number] = kinds.pop()
                file.write(line(lines[number].row))
            number += 1
            file.write(line(good_row(n)))
    assert not kinds
    return lines


def run(folder: Path) -> tuple[dict[str, Any], dict[int, BadKind], list[dict[str, Any]]]:
    """The report, the bad rows by line, and the quarantine."""
    source, kept = folder / "night.jsonl", folder / "kept.jsonl"
    lines = write(source)
    report = export_dataset(
        *(source, folder / "out.jsonl"),
        on_bad_row="quarantine",
        on_leak="quarantine",
        quarantine=kept,
    )
    return report, lines, read(kept)


def peak_kilobytes() -> int:
    """Of this process alone; what ``getrusage`` says begins with the parent's."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text().partition("VmHWM:")[2].split()[0])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main() -> int:
    """0 where every bad row was kept out with its line and reason."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        report, lines, kept = run(Path(folder))
        took = time.monotonic() - began
    right = sum(told(record) == expected(lines, record["line"]) for record in kept)
    print(f"{report['counts']['read']:,} rows read, {report['n_written']:,} written")
    print(f"{len(lines)} bad kinds, {len(kept)} kept out, {right} with the right line and reason")
    peak = peak_kilobytes() / 1024
    print(f"peak memory {peak:.0f} MB, {took:.1f} s")
    return 0 if len(lines) == len(kept) == right else 1


def told(record: dict[str, Any]) -> tuple[str, str, str]:
    """What a record says of its row."""
    return record["gate"], record["at"], record["problem"]


def expected(lines: dict[int, BadKind], number: int) -> tuple[str, str, str] | None:
    """What it must say."""
    bad = lines.get(number)
    return None if bad is None else (bad.gate, bad.at, bad.problem)


if __name__ == "__main__":
    sys.exit(main())
