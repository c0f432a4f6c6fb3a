"""Rows that are kept out, whole, with what was found, in a private file."""

from __future__ import annotations

from whileai_export.io.encode import raw_json
from whileai_export.io.sink import Sink
from whileai_export.io.staging import Staging
from whileai_export.pipeline.outcome import Target
from whileai_export.pipeline.part import Unfit


class Quarantine:
    """Stages the quarantine file when the first row comes; without a path nothing is kept."""

    def __init__(self, staging: Staging, path: Target | None) -> None:
        self._staging = staging
        self._path = path
        self._sink: Sink | None = None

    def keep(self, unfit: Unfit) -> None:
        """One row of the source, as it came."""
        if self._path is None:
            return
        if self._sink is None:
            self._sink = self._staging.open(self._path, private=True)
        first = unfit.findings[0]
        self._sink.write(
            raw_json(
                {
                    "row": unfit.row,
                    "line": unfit.line,
                    "gate": first.gate,
                    "at": first.at,
                    "problem": first.problem,
                    "findings": [finding.plain() for finding in unfit.findings],
                },
                "source",
                unfit.raw,
            )
        )

    def former(self) -> tuple[Target, ...]:
        """The file of an earlier export that this one has no rows for."""
        return (self._path,) if self._path is not None and self._sink is None else ()
