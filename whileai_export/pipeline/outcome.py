"""What an export came to: a report, and files that are staged until somebody publishes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from whileai_export.io.staging import Staging, Written
from whileai_export.pipeline.written import NOT_WRITTEN
from whileai_export.shared.errors import ExportError
from whileai_export.shared.schema import WireFormat

#: Where a file goes: a path, or a URL as text.
Target: TypeAlias = str | Path


class Outcome:
    """A context manager: leaving it without ``publish`` discards every staged file."""

    def __init__(
        self,
        report: dict[str, Any],
        refusal: ExportError | None,
        staging: Staging,
        targets: Mapping[WireFormat, Target],
        *,
        empty: bool,
        former: tuple[Target, ...] = (),
    ) -> None:
        self.report = report
        self.refusal = refusal
        self.empty = empty
        self._staging = staging
        self._card: bytes | None = None
        self._reloaded = False
        staged = {output["format"] for output in report.get("outputs", ())}
        unstaged = (target for name, target in targets.items() if name not in staged)
        self._former = [path for path in (*former, *unstaged) if isinstance(path, Path)]

    def __enter__(self) -> Outcome:
        return self

    def __exit__(self, *_: object) -> None:
        self._staging.discard()

    def add(self, target: Path, data: bytes, *, private: bool = False) -> None:
        """Stage another file of the same set."""
        self._staging.open(target, private=private).write(data)
        if target.name == "README.md":
            self._card = data

    def withdraw(self, paths: Iterable[Path]) -> None:
        """Name further files that go with the publishing of this set."""
        self._former.extend(paths)

    def reload(self) -> None:
        """Load what is staged as a trainer would, if the options ask for it: once, before it lasts.

        The report says what came back changed; where the options refuse that, so does the outcome.
        """
        if not (self._reloaded or self.refusal or self.empty):
            self._reloaded = True
            if self.report["options"]["reload"] == "off":
                return
            # Loading the loader's side takes as long as exporting some hundred rows.
            from whileai_export.pipeline.reload import reload_gate

            self.refusal = reload_gate(self.report, self._staging.staged, self._card)
            if self.refusal is not None:
                self.report.update(NOT_WRITTEN)

    def publish(self, last: Path | None = None) -> list[Written]:
        """Rename the whole set into place, its report ``last``. Raises the refusal if there is one.

        A file that an earlier export left at a target that got no rows now is withdrawn.
        """
        self.reload()
        if self.refusal is not None:
            self._staging.discard()
            raise self.refusal
        self._staging.withdraw(self._former)
        return self._staging.publish(last, names_all=last is not None)
