"""What the UI shows of a version: its changelog, the difference, numbers that plot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import dagster as dg

from whileai_export.defs.metadata import bounded
from whileai_export.shared.counted import counted
from whileai_export.versions import Cut
from whileai_export.versions.lost import lost_line
from whileai_export.versions.verify import Verified

#: Simulations named in a sentence; the rest are counted.
NAMED = 5


def metadata(made: Cut) -> dict[str, Any]:
    """The version that a cut came to, new or not."""
    manifest = made.manifest
    difference = manifest["diff"] if made.new else None
    card = (made.folder / "card.md").read_text("utf-8")
    told: dict[str, Any] = {
        "version": made.version,
        "new": made.new,
        "changelog": dg.MetadataValue.md(card if made.new else _unchanged(made)),
        "newer_input": dg.MetadataValue.json(bounded(list(made.newer_input))),
        "left_out": dg.MetadataValue.json(bounded(made.left_out)),
        "left_out_parts": len(made.left_out),
        "lost": dg.MetadataValue.json(bounded(list(made.lost))),
        "lost_parts": len(made.lost),
        "simulations": len(manifest["inputs"]),
        "tasks": manifest["counts"]["tasks"],
        "rows": manifest["counts"].get("sft", {}).get("rows", 0),
        "pairs": manifest["counts"].get("preference", {}).get("rows", 0),
        "dagster/uri": made.folder.absolute().as_uri(),
        "dagster/row_count": sum(kind["rows"] for kind in _kinds(manifest["counts"])),
        "size_bytes": sum(file["bytes"] for file in manifest["files"]),
        "path": dg.MetadataValue.path(str(made.folder)),
    }
    if difference is not None:
        told["diff"] = dg.MetadataValue.json(bounded(difference))
        for what in ("added", "removed", "changed"):
            told[f"rows_{what}"] = difference["rows"]["sft"][what]["count"]
    return told


def losses(made: Cut) -> list[str]:
    """What a version has no more that the one before holds, a line each."""
    parent = str(made.manifest["parent"])
    again = "`whileai-export run {}`"
    return [
        lost_line(made.version, parent, entry, again.format(entry["simulation"]))
        for entry in made.lost
    ]


def _unchanged(made: Cut) -> str:
    """That nothing is new, and which simulations are not as they were published."""
    said = f"Nothing that is published has changed since {made.version}; no new version."
    names = ", ".join(made.newer_input[:NAMED])
    more = f" and {len(made.newer_input) - NAMED} more" * (len(made.newer_input) > NAMED)
    return f"{said} Not exported yet: newer input of {names}{more}." if names else said


def check_results(seen: Verified) -> list[dg.AssetCheckResult]:
    """Whether the version is what its manifest says, and keeps training and testing apart."""
    shared = seen.shared_tasks
    return [
        _result(
            "counts_add_up",
            seen.problems,
            f"{counted(seen.files, 'file')}, {counted(seen.rows, 'row')}, as the manifest says",
        ),
        _result("no_task_in_two_splits", shared, "every task stands in one split"),
    ]


def _result(name: str, problems: Sequence[str], fine: str) -> dg.AssetCheckResult:
    return dg.AssetCheckResult(
        check_name=name,
        passed=not problems,
        description="; ".join(problems[:3]) or fine,
        metadata={"problems": dg.MetadataValue.json(bounded(list(problems)))},
    )


def _kinds(counts: dict[str, Any]) -> list[dict[str, Any]]:
    return [entry for entry in counts.values() if isinstance(entry, dict)]
