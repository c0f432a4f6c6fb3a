"""What the user should know before training on a file that was written."""

from __future__ import annotations

from typing import Any

from whileai_export.pipeline.training import sft_advice
from whileai_export.shared.options import PairOptions, SftOptions
from whileai_export.shared.tally import Marks, Tally

Report = dict[str, Any]


def sft_warnings(report: Report, options: SftOptions, tally: Tally, marks: Marks) -> list[str]:
    """The warnings of an SFT export, most harmful first."""
    return [
        *_leak_warnings(report),
        *_row_warnings(report, marks),
        *_source_warnings(report, tally, marks),
        *sft_advice(options, marks, tally.unsaid, report["n"]),
        *gate_warnings(report),
    ]


def _leak_warnings(report: Report) -> list[str]:
    written = report["privileged_leaks"]["n_leaked"]
    if written and report["options"]["on_leak"] != "quarantine":
        return [f"{written} rows quote their own privileged block"]
    return []


def _row_warnings(report: Report, marks: Marks) -> list[str]:
    told = []
    invalid = report["tool_call_roundtrip"]["invalid"]
    if invalid and report["options"]["on_bad_row"] != "quarantine":
        told.append(f"{invalid} tool calls carry arguments that are no object")
    if marks.failed and report["options"]["formats"] != ["kto"]:
        told.append(f"{marks.failed} rows with a reward below 0.5 are written as SFT targets")
    if marks.cut:
        told.append(f"{marks.cut} rows were cut off or failed before they ended (drop_failed)")
    return told


def _source_warnings(report: Report, tally: Tally, marks: Marks) -> list[str]:
    told = []
    bare = report["n"] - marks.with_system
    if bare:
        told.append(
            f"{bare} rows have no system prompt: pass system_prompt=, or the agent that is "
            "trained on them never sees its rules"
        )
    if tally.calls_checked and marks.with_tools < report["n"]:
        missing = report["n"] - marks.with_tools
        told.append(f"{missing} rows have no tool schemas while tools are called: pass tools=")
    return told


def gate_warnings(report: Report) -> list[str]:
    """Gates that only warn, where they found something."""
    return [
        entry["summary"]
        for gate, entry in report["findings"].items()
        if entry["count"] and gate in ("structure", "tool_schema", "policy", "secrets")
    ]


def pair_warnings(report: Report, options: PairOptions) -> list[str]:
    """The warnings of a preference export."""
    told = _leak_warnings(report)
    if report["backward"]:
        told.append(f"{report['backward']} pairs prefer a side whose score is not the better one")
    same = report["first_turn_identical"]
    if same:
        told.append(f"{same} pairs begin with the same assistant turn")
    pairs, longer = report["pairs"], report["chosen_longer_frac"] or 0.0
    if (pairs >= 8 and longer >= 0.75) or (3 <= pairs < 8 and longer == 1.0):
        told.append(f"chosen is the longer side in {longer:.0%} of the pairs: length may be learnt")
    if report.get("mixed_policies"):
        told.append(f"{report['mixed_policies']} pairs compare two different policies")
    if report["without_system"]:
        told.append(f"{report['without_system']} pairs have no system prompt: pass system_prompt=")
    if report["without_tools"]:
        told.append(
            f"{report['without_tools']} pairs have no tool schemas while tools are called: "
            "pass tools="
        )
    foreign = report.get("foreign_turns_in_completions")
    if foreign:
        told.append(
            f"{foreign} tool and user turns stand inside trl completions and are scored as the "
            "policy's words; trl-completion leaves them out"
        )
    return told
