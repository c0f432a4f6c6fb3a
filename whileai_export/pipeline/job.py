"""What a worker must know to turn lines into staged rows."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, TypeAlias

from whileai_export.shared.errors import OptionError
from whileai_export.shared.findings import Gate
from whileai_export.shared.nearest import did_you_mean
from whileai_export.shared.options import Options, SftOptions
from whileai_export.shared.schema import Surroundings

Adapter: TypeAlias = Callable[[Any], Any]

#: Gates that only warn; each is asked for by name.
WARNING_GATES: tuple[Gate, ...] = ("tool_schema", "policy", "secrets")


@dataclass(frozen=True, slots=True)
class Job:
    """One export: the same for every chunk, in this process or another."""

    options: Options
    around: Surroundings
    adapter: Adapter | None = None
    gates: tuple[Gate, ...] = ()
    """Warning gates to run beside those that always do."""
    private: bool = False
    """Keep what later gates compare with: privileged block, final text, source line."""
    numbered: bool = False
    """Give every row its ``row_id``."""
    extras: tuple[str, ...] = ()
    """Columns of the source that are asked for and not carried by themselves."""
    holdout: frozenset[bytes] = frozenset()
    simulation: str = ""
    """Where the rows come from; a part of their ids."""
    paired: bool = False
    """The pairs are made of rows that this run looked at before."""

    @property
    def further_gates(self) -> tuple[Gate, ...]:
        """The gates that run beside those that always do."""
        return (*self.gates, "holdout") if self.holdout else self.gates


#: Of rows that are only read: nothing is given for them, and nobody judges them.
READING = Job(SftOptions(), Surroundings())


def resolve_adapter(adapter: Adapter | str | None) -> Adapter | None:
    """The callable itself, or the one that ``pkg.mod:fn`` names."""
    if adapter is None or callable(adapter):
        return adapter
    module, _, name = adapter.partition(":") if isinstance(adapter, str) else ("", "", "")
    if not (name.isidentifier() and all(part.isidentifier() for part in module.split("."))):
        raise OptionError(f"adapter: expected pkg.mod:function, got {adapter!r}")
    place = _imported(module)
    found = getattr(place, name, None)
    if found is None:
        near = did_you_mean(name, vars(place))
        raise OptionError(f"adapter: module {module!r} has no function {name!r}{near}")
    if not callable(found):
        raise OptionError(f"adapter: {adapter!r} is not callable")
    return found  # type: ignore[no-any-return]


def _imported(module: str) -> ModuleType:
    try:
        return importlib.import_module(module)
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        raise OptionError(f"adapter: module {module!r} cannot be imported: {why}") from error


def adapter_name(adapter: Adapter | str | None) -> str | None:
    """How the adapter is called in options and digests."""
    if adapter is None or isinstance(adapter, str):
        return adapter
    module = getattr(adapter, "__module__", "?")
    return f"{module}:{getattr(adapter, '__qualname__', '?')}"
