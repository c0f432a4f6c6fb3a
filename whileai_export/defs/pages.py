"""How Dagster's pages are started over a home, and how much they say on the terminal."""

from __future__ import annotations

import sys
from pathlib import Path

from whileai_export.defs.executed import LOCATION, MODULE

#: That `dg dev` exists is no news to a person who typed neither of the two.
_UNWARNED = ("-W", "ignore:Function `dev_command` is superseded")
_LOUD = "telemetry: {enabled: false}\nnux: {enabled: false}\n"
#: Every event of a run is on its page; the terminal need not repeat them.
_CALM = f"{_LOUD}python_logs: {{python_log_level: WARNING}}\n"
_WORKSPACE = f"""\
load_from:
  - python_module:
      module_name: {MODULE}
      location_name: {LOCATION}
"""


def settle(place: Path) -> None:
    """The instance's settings in its folder, where there are none."""
    settings = place / "dagster.yaml"
    if not settings.exists():
        _put(settings, _CALM)


def prepare(place: Path, everything: bool) -> None:
    """What the pages load, and what runs tell the terminal; settings that somebody wrote stay."""
    _put(place / "workspace.yaml", _WORKSPACE)
    settings = place / "dagster.yaml"
    if settings.read_text("utf-8") in (_LOUD, _CALM):
        _put(settings, _LOUD if everything else _CALM)


def _put(path: Path, text: str) -> None:
    """A whole file at every moment: a run that starts meanwhile reads it too."""
    beside = path.with_name(f"{path.name}.part")
    beside.write_text(text, "utf-8")
    beside.replace(path)


def start(port: int, everything: bool) -> list[str]:
    """The words that start them on 127.0.0.1, in the instance's folder.

    ``everything``: each run and each look of a sensor is told. A file gets no colours.
    """
    level = "info" if everything else "warning"
    plain = () if sys.stdout.isatty() else ("--log-format", "json")
    return [
        *(sys.executable, *_UNWARNED, "-m", "dagster", "dev", "-w", "workspace.yaml"),
        *("-h", "127.0.0.1", "-p", str(port)),
        *("--log-level", level, "--code-server-log-level", level, *plain),
    ]
