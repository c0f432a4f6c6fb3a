"""The command line called as a person or a machine calls it, over a project that only pretends."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from click.testing import CliRunner, Result

from whileai_export.cli.commands import commands
from whileai_export.cli.door import Door
from whileai_export.shared.errors import OptionError
from whileai_export.shared.project import Standing, Step
from whileai_export.shared.schema import JsonObject

WRITTEN = Step("sft_jsonl", "written", {"counts": {"read": 9, "written": 6}})
REFUSED = Step("training_rows", "refused", problem="privileged_leak: 1 row", code="privileged_leak")


@dataclass
class PretendProject:
    """A home whose graph answers with the steps it was given."""

    home: Path
    steps: list[Step] = field(default_factory=lambda: [WRITTEN])
    names: list[str] = field(default_factory=list)
    ran_with: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    port: int | None = None
    tells_everything: bool = False
    refuses_settings: bool = False
    versions: list[JsonObject] = field(default_factory=list)
    cut_of: list[str | None] = field(default_factory=list)
    own: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    stored: dict[str, bool] = field(default_factory=dict)
    adapters: dict[str, str] = field(default_factory=dict)
    stands: list[Standing] = field(default_factory=list)

    def simulations(self) -> list[str]:
        return sorted(self.names)

    def folder(self, name: str) -> Path:
        return self.home / "simulations" / name

    def stores(self, name: str) -> Mapping[str, bool]:
        return self.stored

    def adapter(self, name: str) -> str | None:
        return self.adapters.get(name)

    def register(self, name: str) -> None:
        self.names.append(name)

    def begin(self) -> None:
        self.home.mkdir(parents=True, exist_ok=True)

    def check(self, name: str, settings: Mapping[str, Any]) -> None:
        if self.refuses_settings:
            raise OptionError("--set on_leak: expected one of refuse, quarantine, got 'bogus'")

    def own_options(self, name: str) -> Mapping[str, Any]:
        return self.own.get(name, {})

    def cut(self, dataset: str | None) -> list[JsonObject]:
        self.cut_of.append(dataset)
        return self.versions

    def standings(self) -> Iterator[Standing]:
        return iter(self.stands)

    def untaken(self) -> list[str]:
        return [entry.simulation for entry in self.stands if entry.state == "not taken"]

    def patterns(self) -> list[str]:
        return ["support-*", "billing-*"]

    def run(
        self,
        name: str,
        settings: Mapping[str, Any],
        workers: int | None = None,
        only: Collection[str | None] | None = None,
    ) -> Iterator[Step]:
        self.ran_with[name], self.workers, self.only = settings, workers, only
        return iter(self.steps)

    def serve(self, port: int, everything: bool = False) -> NoReturn:
        self.port, self.tells_everything = port, everything
        raise SystemExit(0)


def call(*words: object, project: PretendProject | None = None) -> Result:
    """One call of the command line; output and errors come back together."""

    def opened() -> PretendProject:
        assert project is not None, "this command needs no project"
        return project

    return CliRunner().invoke(commands, [str(word) for word in words], obj=Door(opened))
