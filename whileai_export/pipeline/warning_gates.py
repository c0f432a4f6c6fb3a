"""The gates that only warn, as the watch calls them: rows compared, and what was found."""

from __future__ import annotations

from collections.abc import Callable

from whileai_export.shared.findings import Finding, Gate
from whileai_export.shared.schema import Trajectory

WARNING: dict[Gate, Callable[[Trajectory], tuple[int, list[Finding]]]] = {}
