"""The report of an SFT export: plain, JSON-safe, without a private word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from whileai_export.core.tool_schema import library
from whileai_export.core.wire import OBJECTS
from whileai_export.pipeline.warnings import sft_warnings
from whileai_export.pipeline.written import NOT_WRITTEN
from whileai_export.shared.counted import agreeing, counted
from whileai_export.shared.errors import ExportError
from whileai_export.shared.findings import NAMED, Gate
from whileai_export.shared.options import Options, SftOptions, digest, plain
from whileai_export.shared.tally import Marks, Seen, Tally

_NAMES_ALONE = (
    "only names were compared, arguments need jsonschema-rs: pip install 'whileai-export[schema]'"
)
#: By whether the arguments of a format are objects: its encoding, and what it must be.
_ENCODINGS = {
    False: ("json_string", "arguments that are JSON text of an object"),
    True: ("dict", "arguments that are objects"),
}
_ALWAYS: tuple[Gate, ...] = ("readable", "tool_call_roundtrip", "privileged_leak", "structure")


def sft_report(
    options: SftOptions,
    tally: Tally,
    marks: Marks,
    *,
    written: int,
    groups: int,
    gates: tuple[Gate, ...],
    refuses: frozenset[Gate],
) -> dict[str, Any]:
    """Everything that was counted, under the documented keys and the added ones."""
    report: dict[str, Any] = {
        "n": written,
        "format": options.formats[0] if len(options.formats) == 1 else list(options.formats),
        "with_system": marks.with_system,
        "with_tools": marks.with_tools,
        "groups": groups,
        "tool_call_roundtrip": roundtrip(options, tally),
        "mask_mode": "final (unrolled)" if options.unroll else options.mask_mode,
        "unrolled": options.unroll,
        "max_tool_output_chars": options.max_tool_output_chars,
        "tool_output_truncated": marks.truncated,
        "tool_output_chars_cut": marks.chars_cut,
        "trained_messages": marks.trained,
        "masked_messages": marks.masked,
        "privileged_leaks": leaks(tally),
        "rewards": {
            "n_pass": marks.passed,
            "n_fail": marks.failed,
            "n_ungraded": marks.ungraded,
            "ungraded_by_kind": dict(tally.rewards),
        },
        "open_ended": marks.open_end,
        "characters": marks.characters,
        "counts": counts(tally, written, tally.filtered),
        "dropped_by_format": dict(sorted(tally.unsaid.items())),
        "duplicates": tally.filtered["duplicate"],
        "repairs": dict(sorted(tally.repairs.items())),
        "columns_left_out": dict(sorted(tally.columns_left_out.items())),
        "findings": findings(tally, gates, refuses),
        "options": plain(options),
        "options_digest": digest(options),
        **NOT_WRITTEN,
    }
    report["warnings"] = sft_warnings(report, options, tally, marks)
    return report


def counts(tally: Tally, written: int, filtered: Mapping[str, int]) -> dict[str, Any]:
    """read + unrolled = written + quarantined + filtered + refused."""
    return {
        "read": tally.read,
        "unrolled": tally.unrolled,
        "written": written,
        "quarantined": tally.quarantined,
        "filtered": {reason: count for reason, count in sorted(filtered.items()) if count},
        "refused": 0,
    }


def refused(report: dict[str, Any], refusal: ExportError) -> dict[str, Any]:
    """The same report of an export that wrote nothing. The refusal carries it too."""
    told = report["counts"]
    nothing = {"written": 0, "quarantined": 0, "filtered": {}}
    all_rows = told["read"] + told["unrolled"]
    whole = {**report, "counts": {**told, **nothing, "refused": all_rows}, "outputs": []}
    refusal.report = whole
    return whole


def roundtrip(options: Options, tally: Tally) -> dict[str, Any]:
    """What the round-trip gate saw, in the encoding it checked; of several formats each of them."""
    seen = tally.seen.get("tool_call_roundtrip", Seen())
    encodings = list(dict.fromkeys(_ENCODINGS[name in OBJECTS] for name in options.formats))
    return {
        "checked": tally.calls_checked,
        "invalid": tally.calls_invalid,
        "rows": seen.rows,
        "encoding": encodings[0][0] if len(encodings) == 1 else [name for name, _ in encodings],
        "checked_for": " and ".join(what for _, what in encodings),
        "summary": summary("tool_call_roundtrip", tally.calls_checked, seen.count),
    }


def leaks(tally: Tally) -> dict[str, Any]:
    """What the leak gate saw; whether it could see anything."""
    seen = tally.seen.get("privileged_leak", Seen())
    return {
        "checked": seen.checked > 0,
        "n_checked": seen.checked,
        "n_leaked": seen.count,
        "n_disclosed": seen.disclosed,
        "leaked": [finding.plain() for finding in seen.named[:NAMED]],
        "summary": _leak_summary(seen),
    }


def _leak_summary(seen: Seen) -> str:
    if not seen.checked:
        return (
            "not checked: no row carries a privileged block with a searchable value; "
            "pass the rows as the simulation wrote them"
        )
    quote = agreeing(seen.count, "quotes its", "quote their")
    verdict = f"{seen.count:,} {quote}" if seen.count else "none quotes its"
    values = counted(seen.disclosed, "value was", "values were")
    told = f", {values} told to the assistant first" if seen.disclosed else ""
    return f"{counted(seen.checked, 'row')} checked, {verdict} own privileged block{told}"


def findings(
    tally: Tally, gates: tuple[Gate, ...], refuses: frozenset[Gate], *, sides: bool = False
) -> dict[str, dict[str, Any]]:
    """Every gate that ran: what it compared, how many rows it found, the first of them.

    ``sides``: pairs were read, and each of their sides was looked at as a row.
    """
    told: dict[str, dict[str, Any]] = {}
    for gate in (*_ALWAYS, *gates):
        seen = tally.seen.get(gate, Seen())
        checked = {
            "readable": tally.read,
            "structure": 2 * tally.read if sides else tally.read,
            "tool_call_roundtrip": tally.calls_checked,
        }.get(gate, seen.checked)
        told[gate] = {
            "checked": checked > 0,
            "n_checked": checked,
            "count": seen.count,
            "named": [finding.plain() for finding in seen.named],
            "refuses": gate in refuses,
            "summary": summary(gate, checked, seen.count, "side" if sides else "row"),
        }
    return told


def summary(gate: str, checked: int, count: int, row: str = "row") -> str:
    """One line a person can read. ``row``: what one of those that were looked at is."""
    if not checked:
        return f"{gate}: not checked, there was nothing to compare"
    what = "call" if gate == "tool_call_roundtrip" else row
    said = f"{gate}: {counted(checked, what)} checked, {counted(count, row)} with findings"
    return f"{said}; {_NAMES_ALONE}" if gate == "tool_schema" and not library() else said


def source_counts(tally: Tally) -> Mapping[str, Any]:
    """What the rows of the source were."""
    return {
        "rows": tally.read,
        "shapes": dict(tally.shapes),
        "system_prompt_from": dict(tally.prompts),
        "tools_from": dict(tally.tools),
    }
