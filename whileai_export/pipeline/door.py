"""One raw row, from a file or from memory, to a settled trajectory."""

from __future__ import annotations

from collections import Counter

from whileai_export.core.carry import scrubbed
from whileai_export.core.normalize import normalize
from whileai_export.core.values import settle
from whileai_export.io.decode import decode
from whileai_export.pipeline.job import Adapter, Job
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import NO_REPAIRS, JsonObject, Repairs, Trajectory


def read_row(raw: object, job: Job) -> Trajectory:
    """The trajectory in one raw row. Raises ``BadRow`` where there is none."""
    row, repairs = settled(raw, job)
    trajectory = normalize(row, job.around)
    if repairs:
        trajectory.repairs = Counter(trajectory.repairs) + Counter(repairs)
    for name in job.extras:
        if row.get(name) is not None:
            trajectory.columns[name] = scrubbed(row[name])[0]
    return trajectory


def settled(raw: object, job: Job) -> tuple[JsonObject, Repairs]:
    """The row as a JSON object, and what was mended to make it one."""
    row, suspect = decode(raw) if isinstance(raw, bytes) else (raw, True)
    if job.adapter is not None:
        row, suspect = _adapted(row, job.adapter), True
    if not suspect:
        return row, NO_REPAIRS  # type: ignore[return-value]
    row, repairs = settle(row)
    if not isinstance(row, dict):
        raise BadRow(f"expected an object, got {type(row).__name__}")
    return row, repairs


def _adapted(row: object, adapter: Adapter) -> object:
    try:
        return adapter(row)
    except Exception as error:
        # The adapter's own words may quote the row; only the error's name is safe to show.
        raise BadRow(f"the adapter failed with {type(error).__name__}") from error
