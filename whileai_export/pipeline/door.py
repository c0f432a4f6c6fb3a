"""One raw row, from a file or from memory, to a settled trajectory."""

from __future__ import annotations

import traceback
from pathlib import Path

from whileai_export.core.carry import scrubbed
from whileai_export.core.normalize import normalize
from whileai_export.core.repairs import added
from whileai_export.core.values import settle
from whileai_export.io.decode import decode
from whileai_export.pipeline.columns import written_name
from whileai_export.pipeline.job import Adapter, Job
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import NO_REPAIRS, ROW_DEPTH, JsonObject, Repairs, Trajectory


def read_row(raw: object, job: Job) -> Trajectory:
    """The trajectory in one raw row. Raises ``BadRow`` where there is none."""
    row, repairs = settled(raw, job)
    return read_settled(row, repairs, job)


def read_settled(row: JsonObject, repairs: Repairs, job: Job) -> Trajectory:
    """The trajectory in one settled row; ``repairs``: what was mended to settle it."""
    trajectory = normalize(row, job.around)
    if repairs:
        trajectory.repairs = added(trajectory.repairs, repairs)
    for name in job.extras:
        value = row.get(name)
        if value is None and trajectory.shape == "training":
            value = row.get(written_name(name, name))
        value, repairs = scrubbed(value)
        if value is not None:
            trajectory.columns[name] = value
            trajectory.repairs = added(trajectory.repairs, repairs)
    return trajectory


def settled(raw: object, job: Job) -> tuple[JsonObject, Repairs]:
    """The row as a JSON object, and what was mended to make it one."""
    row, suspect = decode(raw) if isinstance(raw, bytes) else (raw, True)
    if job.adapter is not None:
        row, suspect = _adapted(row, job.adapter), True
    if not suspect:
        return row, NO_REPAIRS  # type: ignore[return-value]
    row, repairs = settle(row, ROW_DEPTH)
    if not isinstance(row, dict):
        raise BadRow(f"expected an object, got {type(row).__name__}")
    return row, repairs


def _adapted(row: object, adapter: Adapter) -> object:
    try:
        return adapter(row)
    except (Exception, SystemExit) as error:  # a script that became an adapter may exit
        # The adapter's own words may quote the row; only the error's name is safe to show.
        raise BadRow(f"the adapter failed with {type(error).__name__}{_where(error)}") from error


def _where(error: BaseException) -> str:
    """The line of the adapter's code; it is no text of the row's."""
    frames = traceback.extract_tb(error.__traceback__)[1:]
    return f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
