"""What the command line asks of the Dagster project, without either knowing the other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NoReturn, Protocol, TypeAlias

from whileai_export.shared.schema import JsonObject

#: What ``run --set`` takes, and what each key expects.
RUN_KEYS: Mapping[str, str] = {
    "adapter": "pkg.mod:function",
    "on_bad_row": "refuse or quarantine",
    "on_leak": "refuse or quarantine",
    "max_quarantined": "a number from 0 to 1: the share of rows that may be set aside",
    "strict": "true or false",
    "formats": "openai, trl, trl-completion, fireworks; several with commas",
    "min_reward": "a number from 0 to 1, or none",
    "drop_failed": "true or false",
    "trim_tail": "true or false",
    "strip_think": "true or false",
    "columns": "names, with commas",
    "tokenizer": "a tokenizer.json",
    "max_tokens": "a whole number, or none",
    "drop_long": "true or false",
    "reload": "off, auto, warn, refuse",
    "unroll": "true or false",
    "mask_mode": "assistant, final",
    "max_tool_output_chars": "a whole number, or none",
    "dedupe": "true or false",
    "max_per_task": "a whole number, or none",
    "min_margin": "a number from 0 to 1",
    "max_pairs_per_task": "a whole number",
    "length_match": "true or false",
    "drop_ties": "true or false",
}

StepState: TypeAlias = Literal["written", "refused", "crashed", "not run"]


@dataclass(frozen=True, slots=True)
class Step:
    """What one asset did for one simulation."""

    asset: str
    state: StepState
    report: JsonObject = field(default_factory=dict)
    files: tuple[str, ...] = ()
    quarantine: str = ""
    """The private file of the rows that were set aside, where there are any."""
    problem: str = ""
    """Why it was refused or crashed; names the gate where one refused."""
    code: str = ""
    """The refusing gate's code; empty otherwise."""


State: TypeAlias = Literal[
    "current",
    "stale",
    "refused",
    "crashed",
    "running",
    "never run",
    "gone",
    "unreadable",
    "not taken",
]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a simulation stands in one dataset."""

    simulation: str
    dataset: str | None
    state: State
    why: str = ""
    due: bool = False
    """The nightly schedule would export it now."""
    exported_at: str | None = None
    rows: int | None = None
    """Of what is published; None where nothing is."""
    pairs: int | None = None
    own_options: Mapping[str, Any] = field(default_factory=dict)
    """What its latest run was given beside what is configured."""


class Project(Protocol):
    """A home with simulations, and the persistent Dagster instance beside them."""

    home: Path

    def simulations(self) -> list[str]:
        """The registered simulations, sorted."""

    def folder(self, name: str) -> Path:
        """Where the simulation of that name lies or would lie; refuses what is no plain name."""

    def stores(self, name: str) -> Mapping[str, bool]:
        """The stores in which a simulation of that name may lie, each with whether it does."""

    def register(self, name: str) -> None:
        """Make a simulation under the home a partition."""

    def adapter(self, name: str) -> str | None:
        """What turns the rows of a simulation of that name into ones that are read, as decided."""

    def begin(self) -> None:
        """Make the home, private, where there is none."""

    def check(self, name: str, settings: Mapping[str, Any]) -> None:
        """Refuse settings of a run that mean nothing; nothing is run or recorded."""

    def run(
        self,
        name: str,
        settings: Mapping[str, Any],
        workers: int | None = None,
        only: Collection[str | None] | None = None,
    ) -> Iterator[Step]:
        """Run the asset graph for one simulation; a step for each asset, in order.

        ``workers``: processes that a step may use; None: as the home decides.
        ``only``: the datasets for which it is run; None: all that take it.
        """

    def standings(self) -> Iterator[Standing]:
        """Where every simulation under the home stands, each judged when it is asked for.

        One in several datasets comes once for each of them. Writes nothing, makes no home.
        """

    def untaken(self) -> list[str]:
        """The simulations under the home that no dataset takes."""

    def patterns(self) -> list[str]:
        """How the datasets name the simulations that they take."""

    def own_options(self, name: str) -> Mapping[str, Any]:
        """What the latest run of a simulation was given beside what is configured."""

    def cut(self, dataset: str | None) -> list[JsonObject]:
        """Cut a version of one dataset, or of each; what was taken and what was left out."""

    def serve(self, port: int, everything: bool = False) -> NoReturn:
        """Become the UI on 127.0.0.1, over this home and its instance.

        ``everything``: the terminal is told what runs and sensors do, not problems alone.
        """


OpenProject: TypeAlias = Callable[[], Project]
