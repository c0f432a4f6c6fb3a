"""What an export came to: a report, and files that are staged until somebody publishes them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from whileai_export.io.staging import Staging, Written
from whileai_export.shared.errors import ExportError
from whileai_export.shared.schema import WireFormat


class Outcome:
    """A context manager: leaving it without ``publish`` discards every staged file."""

    def __init__(
        self,
        report: dict[str, Any],
        refusal: ExportError | None,
        staging: Staging,
        targets: Mapping[WireFormat, Path],
        *,
        empty: bool,
        former: tuple[Path, ...] = (),
    ) -> None:
        self.report = report
        self.refusal = refusal
        self.empty = empty
        self._staging = staging
        self._targets = targets
        self._former = former

    def __enter__(self) -> Outcome:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._staging.discard()

    def add(self, target: Path, data: bytes, *, private: bool = False) -> None:
        """Stage another file of the same set."""
        self._staging.open(target, private=private).write(data)

    def publish(self, last: Path | None = None) -> list[Written]:
        """Rename the whole set into place, ``last`` last. Raises the refusal if there is one.

        An empty outcome withdraws the files it would have replaced.
        """
        if self.refusal is not None:
            self._staging.discard()
            raise self.refusal
        self._staging.withdraw([*self._former, *(self._targets.values() if self.empty else ())])
        return self._staging.publish(last)
