"""What the user should know before training on a file that was written."""

from __future__ import annotations

from typing import Any

from whileai_export.pipeline.columns import absent
from whileai_export.pipeline.join import Join
from whileai_export.pipeline.training import foreign_advice, sft_advice
from whileai_export.shared.counted import agreeing, counted
from whileai_export.shared.options import SftOptions
from whileai_export.shared.tally import Marks, Tally

Report = dict[str, Any]
_HAVE = "row has", "rows have"
_PAIRS_HAVE = "pair has", "pairs have"
#: What is missing, and everything that gives it: whoever reads this may have no Python before him.
_PLACES = "the row, profile.json or the sidecar"
_NO_PROMPT = f"no system prompt (from the option system_prompt, {_PLACES})"
_NO_TOOLS = f"no tool schemas while tools are called (from the option tools, {_PLACES})"


def sft_warnings(report: Report, options: SftOptions, tally: Tally, marks: Marks) -> list[str]:
    """The warnings of an SFT export, most harmful first."""
    return [
        *_leak_warnings(report),
        *_row_warnings(report, marks),
        *_grade_warnings(report),
        *_source_warnings(report, tally, marks),
        *sft_advice(options, marks, tally.unsaid, report["n"]),
        *gate_warnings(report),
    ]


def _leak_warnings(report: Report) -> list[str]:
    leaking = report["privileged_leaks"]["n_leaked"]
    if leaking and report["options"]["on_leak"] != "quarantine":
        quote = "row quotes its own", "rows quote their own"
        return [f"{counted(leaking, *quote)} privileged block"]
    return []


def _row_warnings(report: Report, marks: Marks) -> list[str]:
    told = []
    invalid = report["tool_call_roundtrip"]["invalid"]
    if invalid and report["options"]["on_bad_row"] != "quarantine":
        carry = "tool call carries", "tool calls carry"
        told.append(f"{counted(invalid, *carry)} arguments that are no object")
    if marks.failed and report["options"]["formats"] != ["kto"]:
        are = agreeing(marks.failed, "is written as an SFT target", "are written as SFT targets")
        told.append(f"{counted(marks.failed, 'row')} with a reward below 0.5 {are}")
    if marks.cut:
        told.append(
            f"{counted(marks.cut, 'row was', 'rows were')} cut off or failed before"
            f" {agreeing(marks.cut, 'it', 'they')} ended (drop_failed)"
        )
    return told


def _grade_warnings(report: Report) -> list[str]:
    """Rewards on another scale, or of another kind, look as if nobody had graded the rows."""
    kinds = report["rewards"]["ungraded_by_kind"]
    odd = {kind: n for kind, n in kinds.items() if n and kind not in ("absent", "null")}
    if not odd:
        return []
    are = counted(sum(odd.values()), "reward is", "rewards are")
    told = ", ".join(f"{kind} {n:,}" for kind, n in odd.items())
    return [f"{are} no number from 0 to 1, and no grade ({told})"]


def _source_warnings(report: Report, tally: Tally, marks: Marks) -> list[str]:
    told = []
    bare = report["n"] - marks.with_system
    if bare:
        told.append(
            f"{counted(bare, *_HAVE)} {_NO_PROMPT}; the agent that is trained on "
            f"{agreeing(bare, 'it', 'them')} never sees its rules"
        )
    if tally.calls_checked and marks.with_tools < report["n"]:
        missing = report["n"] - marks.with_tools
        told.append(f"{counted(missing, *_HAVE)} {_NO_TOOLS}")
    return told


def column_warnings(report: Report, join: Join[Any]) -> list[str]:
    """Columns that somebody asked for and nobody gets."""
    brought = {
        name
        for track in join.tracks.values()
        for signature in track.known
        for name in signature.brought
    }
    missing = absent(join.job.options.columns, brought | report["columns_left_out"].keys())
    if not (missing and join.written):
        return []
    what = "pair" if "pairs" in report else "row"
    return [f"columns: no written {what} has {', '.join(missing)}"]


def gate_warnings(report: Report) -> list[str]:
    """Gates that only warn, where they found something."""
    return [
        entry["summary"]
        for gate, entry in report["findings"].items()
        if entry["count"] and gate in ("structure", "tool_schema", "policy", "secrets")
    ]


def pair_warnings(report: Report) -> list[str]:
    """The warnings of a preference export."""
    told = [*_leak_warnings(report), *_grade_warnings(report)]
    if report["backward"]:
        prefer = counted(report["backward"], "pair prefers", "pairs prefer")
        told.append(f"{prefer} a side whose score is not the better one")
    same = report["first_turn_identical"]
    if same:
        begin = counted(same, "pair begins", "pairs begin")
        told.append(f"{begin} with the same assistant turn; `trl-completion` parts them later")
    pairs, longer = report["pairs"], report["chosen_longer_frac"] or 0.0
    if (pairs >= 8 and longer >= 0.75) or (3 <= pairs < 8 and longer == 1.0):
        told.append(f"chosen is the longer side in {longer:.0%} of the pairs: length may be learnt")
    if report.get("mixed_policies"):
        compare = counted(report["mixed_policies"], "pair compares", "pairs compare")
        told.append(f"{compare} two different policies")
    if report["without_system"]:
        bare = counted(report["without_system"], *_PAIRS_HAVE)
        told.append(f"{bare} {_NO_PROMPT}")
    if report["without_tools"]:
        bare = counted(report["without_tools"], *_PAIRS_HAVE)
        told.append(f"{bare} {_NO_TOOLS}")
    foreign = report.get("foreign_turns_in_completions")
    if foreign:
        left_out = agreeing(foreign, "it", "them")
        told.append(f"{foreign_advice(foreign, 'trl')}; trl-completion leaves {left_out} out")
    return told
