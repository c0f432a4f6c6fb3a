"""What the command line asks of the Dagster project, without either knowing the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NoReturn, Protocol, TypeAlias

from whileai_export.shared.schema import JsonObject

StepState: TypeAlias = Literal["written", "refused", "crashed", "not run"]


@dataclass(frozen=True, slots=True)
class Step:
    """What one asset did for one simulation."""

    asset: str
    state: StepState
    report: JsonObject = field(default_factory=dict)
    files: tuple[str, ...] = ()
    problem: str = ""
    """Why it was refused or crashed; names the gate where one refused."""
    code: str = ""
    """The refusing gate's code; empty otherwise."""


class Project(Protocol):
    """A home with simulations, and the persistent Dagster instance beside them."""

    home: Path

    def simulations(self) -> list[str]:
        """The registered simulations, sorted."""

    def folder(self, name: str) -> Path:
        """Where the simulation of that name lies or would lie; refuses what is no plain name."""

    def register(self, name: str) -> None:
        """Make a simulation under the home a partition."""

    def run(self, name: str, settings: Mapping[str, Any]) -> Iterator[Step]:
        """Run the asset graph for one simulation; a step for each asset, in order."""

    def serve(self, port: int) -> NoReturn:
        """Become the UI on 127.0.0.1, over this home and its instance."""


OpenProject: TypeAlias = Callable[[], Project]
