"""Which options hold for a step, and who chose each: run config, dataset, defaults, or we."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic

from whileai_export.pipeline.columns import check_columns
from whileai_export.shared.errors import OptionError
from whileai_export.shared.nearest import did_you_mean
from whileai_export.shared.options import Options, OptionsT, check, digest, plain, with_values

CAREFUL = "careful defaults"
RUN_CONFIG = "run config"


@dataclass(frozen=True, slots=True)
class Layer:
    """Options that one place sets: ``[defaults]``, ``[dataset.support]``, the run's config."""

    source: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Choice(Generic[OptionsT]):
    """The options of one step, and what they would be without the run's config."""

    options: OptionsT
    digest: str
    configured_digest: str
    came_from: Mapping[str, str]

    def plain(self) -> dict[str, Any]:
        """What a report says about the options, JSON-safe."""
        return {
            "options": plain(self.options),
            "options_digest": self.digest,
            "configured_digest": self.configured_digest,
            "options_from": dict(self.came_from),
        }


def choose(
    careful: OptionsT,
    names: Iterable[str],
    layers: Iterable[Layer],
    run: Mapping[str, Any],
    facts: str = "",
) -> Choice[OptionsT]:
    """The careful defaults under each layer in turn, and the run's config over all of them.

    ``names`` are the options that the step has: a layer speaks for every step, so what it says
    beyond them is for another. ``facts`` are decisions that are no option, such as a system
    prompt's text; they enter the digests.
    """
    configured, came_from = careful, dict.fromkeys(names, CAREFUL)
    for layer in layers:
        values = {name: value for name, value in layer.values.items() if name in came_from}
        came_from.update(dict.fromkeys(values, layer.source))
        configured = _under(careful, configured, values)
    options = _under(careful, configured, run)
    check(options)
    check_columns(options.columns)
    came_from.update(dict.fromkeys(run, RUN_CONFIG))
    return Choice(options, _with(options, facts), _with(configured, facts), came_from)


def _under(careful: OptionsT, options: OptionsT, values: Mapping[str, Any]) -> OptionsT:
    """The options with values put in; where ``columns`` is null, no further ones are published."""
    if "columns" in values and values["columns"] is None:
        options = replace(options, columns=careful.columns)
        values = {name: value for name, value in values.items() if name != "columns"}
    return changed(options, values)


def changed(options: OptionsT, values: Mapping[str, Any]) -> OptionsT:
    """The options with flat values put in; a name that is none is refused with the nearest."""
    for name in values:
        if name not in plain(options):
            raise OptionError(f"{name}: no such option{did_you_mean(name, plain(options))}")
    return with_values(options, values)


def _with(options: Options, facts: str) -> str:
    """The digest of the options, and of the facts where there are any."""
    alone = digest(options)
    return hashlib.sha256(f"{alone} {facts}".encode()).hexdigest()[:16] if facts else alone
