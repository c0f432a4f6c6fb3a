"""Who must act: the data owner (source), the caller (options), the reviewer (gate)."""

from __future__ import annotations

from typing import Any

from whileai_export.shared.counted import counted


class ExportError(ValueError):
    """Anything this package refuses to do. ``report`` says what was counted before that."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.report: dict[str, Any] = {}


class SourceError(ExportError):
    """A source that cannot be read. Says the line, what was expected and what came."""

    def __init__(
        self,
        problem: str,
        *,
        line: int | None = None,
        at: str | None = None,
        more: int = 0,
        way_on: str = "",
    ) -> None:
        where = f"line {line}: " if line is not None else ""
        place = f" - at `{at}`" if at else ""
        others = f" ({counted(more, 'more row')} like it cannot be read)" if more else ""
        super().__init__(f"{where}{problem}{place}{others}{way_on}")
        self.line = line
        self.at = at


class OptionError(ExportError):
    """An option that does not exist, has a wrong value, or contradicts another.

    Options have names in ``export.toml``, ``--set`` and a run's config. A keyword that a function
    does not have is Python's own ``TypeError``.
    """


class Ungraded(OptionError):
    """Nothing may be written: a least reward is asked of rows of which none has one."""

    code = "ungraded"


class GateError(ExportError):
    """A gate refused to write. ``code`` names the gate, ``report`` holds everything found."""

    def __init__(self, code: str, problem: str, report: dict[str, Any] | None = None) -> None:
        super().__init__(f"{code}: {problem}")
        self.code = code
        self.report = report if report is not None else {}


class BadRow(Exception):
    """One row that cannot be read. Raised inside, met by the pipeline, never by the user."""

    def __init__(self, problem: str, at: str = "$") -> None:
        super().__init__(problem)
        self.problem = problem
        self.at = at
