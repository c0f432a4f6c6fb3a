"""What a refusal says: the gate, the counts, the first rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from whileai_export.cli.terminal import columns
from whileai_export.shared.counted import agreeing, counted
from whileai_export.shared.errors import Ungraded
from whileai_export.shared.findings import REFUSING
from whileai_export.shared.schema import JsonObject

#: Rows shown of each gate; the report names twenty and counts all.
SHOWN = 5

#: What is said of one row, of several, and of both.
_WHAT = {
    "tool_call_roundtrip": ("holds", "hold", "tool calls whose arguments are no JSON object"),
    "privileged_leak": ("quotes", "quote", "the grader's private block"),
    "structure": ("holds", "hold", "turns in an order that chat templates refuse"),
    "readable": ("cannot", "cannot", "be read"),
    "holdout": ("belongs", "belong", "to the evaluation set"),
    "secrets": ("holds", "hold", "a key or a token"),
    "tool_schema": ("holds", "hold", "calls that do not fit the tool's schema"),
    "policy": ("was", "were", "played under another system prompt"),
}


def refusing(code: str) -> str:
    """The gate whose code that is."""
    gates = {code_: gate for gate, code_ in REFUSING.items()}
    return {**gates, Ungraded.code: "min_reward"}.get(code, code)


def lines(code: str, report: JsonObject, problem: str = "") -> Iterator[str]:
    """What was found, for every gate that had a part in the refusal."""
    findings = report.get("findings", {})
    read = report.get("counts", {}).get("read", 0)
    wanted = refusing(code)
    if problem and wanted not in findings:
        yield problem.removeprefix(f"{code}: ")
    for gate, seen in findings.items():
        hit = seen.get("count", 0)
        if not hit or (wanted in findings and gate != wanted and not seen.get("refuses")):
            continue
        one, many, what = _WHAT.get(gate, ("did", "did", f"not pass {gate}"))
        sides = seen.get("sides")
        of = counted(seen["n_checked"], "side") if sides else counted(read, "row")
        yield f"{gate}: {hit:,} of {of} {agreeing(hit, one, many)} {what}"
        named = seen.get("named", [])
        yield from places(named)
        more = hit - len({(finding.get("row"), finding.get("side")) for finding in named[:SHOWN]})
        if more > 0:
            yield f"  and {counted(more, 'more side' if sides else 'more row')}"


def places(named: Sequence[JsonObject], shown: int = SHOWN) -> list[str]:
    """The first findings by row, line and place."""
    return columns(
        (
            f"row {finding.get('row', '?')}",
            f"line {finding['line']}" if finding.get("line") else "",
            f"{finding.get('side', '')} {finding.get('at', '$')}".strip(),
            finding.get("problem", ""),
        )
        for finding in named[:shown]
    )
