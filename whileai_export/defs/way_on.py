"""How somebody goes on who reads in the pages that a step was refused."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import dagster as dg

from whileai_export.defs.dataset import Dataset
from whileai_export.defs.inputs import NoInput, StaleInput
from whileai_export.defs.resources import HOME_VARIABLE
from whileai_export.defs.settings import run_config
from whileai_export.shared.errors import ExportError, GateError, SourceError, Ungraded
from whileai_export.shared.remedies import by_hand, remedy, sets

#: A paragraph of its own, where the pages draw Markdown.
_NEXT = "\n\nnext: "


class WayOn(NamedTuple):
    """What to do in words, as a command to paste, and as a config for the launchpad."""

    words: str
    command: str
    config: str = ""

    def after(self, problem: str) -> str:
        """A problem, and under it how to go on."""
        return f"{problem}{_NEXT}{self.words}: {self.command}"

    def metadata(self) -> dict[str, dg.MetadataValue[Any]]:
        """An entry each."""
        told = {"next": self.words, "next_command": self.command, "next_config": self.config}
        return {name: dg.MetadataValue.text(text) for name, text in told.items() if text}


def way_on(
    refusal: ExportError, report: Mapping[str, Any], home: Path, name: str, dataset: Dataset
) -> WayOn | None:
    """The way on from a refusal; None where its own words say everything."""
    if isinstance(refusal, GateError | Ungraded):
        mends = remedy(refusal.code, dict(report))
        if mends is None:
            words = f"{by_hand(refusal.code, dict(report))}, then run it again"
            return WayOn(words, _command(home, "run", name))
        words, settings = mends
        config = f"ops: {_flow(run_config(settings, dataset)['ops'])}"
        return WayOn(words, _command(home, "run", name, *sets(settings)), config)
    if isinstance(refusal, NoInput):
        return WayOn("put one there", _command(home, "add", "FILE", "--name", name))
    if isinstance(refusal, StaleInput):
        return WayOn("run the whole graph for it", _command(home, "run", name))
    if isinstance(refusal, SourceError):
        put = _command(home, "add", "FILE", "--name", name, "--replace")
        return WayOn("put a file that can be read in its place", put)
    return None


def problem_of(description: str | None) -> str:
    """The problem alone, of a failure that says how to go on as well."""
    return (description or "").partition(_NEXT)[0]


def _command(home: Path, *words: str) -> str:
    """A line that can be pasted into a shell, wherever that is."""
    beside = Path(sys.executable).with_name("whileai-export")
    on_path = shutil.which("whileai-export")
    program = [str(beside)] if beside.exists() else [sys.executable, "-m", "whileai_export"]
    if on_path and Path(on_path) == beside:
        program = ["whileai-export"]
    return f"{HOME_VARIABLE}={shlex.quote(str(home))} {shlex.join([*program, *words])}"


def _flow(value: Any) -> str:
    """YAML on one line: the pages run the lines of a text together."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key}: {_flow(entry)}' for key, entry in value.items())}}}"
    return json.dumps(value)
