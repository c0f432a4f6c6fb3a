"""What a caller asks for, checked before a row is read: options, adapter, prompt and tools."""

from __future__ import annotations

from dataclasses import replace

from whileai_export.core.preamble import settled_tools
from whileai_export.core.values import settle
from whileai_export.io.source import Source
from whileai_export.pipeline.columns import KNOWN, check_columns
from whileai_export.pipeline.given import NOTHING, Given, known
from whileai_export.pipeline.job import Adapter, Job, adapter_name, resolve_adapter
from whileai_export.shared.errors import BadRow, ExportError, OptionError, SourceError
from whileai_export.shared.options import OptionsT, PairOptions, SftOptions, check
from whileai_export.shared.schema import JsonObject, Surroundings


def checked(options: OptionsT, adapter: Adapter | str | None) -> OptionsT:
    """The options with the adapter's name among them; refuses what no export could mean."""
    options = replace(options, adapter=adapter_name(adapter or options.adapter))
    check(options)
    check_columns(options.columns)
    return options


def job_for(
    found: Source,
    options: SftOptions | PairOptions,
    given: Given = NOTHING,
    *,
    private: bool = False,
) -> Job:
    """The job of one export over a source."""
    given, columns = known(given), options.columns or ()
    return Job(
        options=options,
        around=_around(found.around, given.get("system_prompt"), given.get("tools")),
        adapter=resolve_adapter(given.get("adapter") or options.adapter),
        gates=given.get("gates", ()),
        private=private,
        numbered=private or (isinstance(options, SftOptions) and "row_id" in columns),
        extras=tuple(name for name in columns if name not in KNOWN),
        holdout=given.get("holdout", frozenset()),
        simulation=given.get("simulation", ""),
    )


def _around(
    around: Surroundings, system_prompt: str | None, tools: list[JsonObject] | None
) -> Surroundings:
    if system_prompt is not None and not isinstance(system_prompt, str):
        raise OptionError(f"system_prompt: expected text, got {type(system_prompt).__name__}")
    given = settle(system_prompt)[0] if system_prompt else None
    own = around.source_prompt
    place = f"tools of the {around.tools_from}"
    return replace(
        around,
        system_prompt=given,
        tools=_schemas(tools, "tools", OptionError),
        source_prompt=settle(own)[0] if own else None,
        source_tools=_schemas(around.source_tools, place, SourceError),
    )


def _schemas(
    tools: list[JsonObject] | None, name: str, error: type[ExportError]
) -> list[JsonObject] | None:
    """Tool schemas as chat completions declare them, as the rows' own are."""
    try:
        return settled_tools(settle(tools)[0], "$")[0] if tools else None
    except BadRow as bad:
        raise error(f"{name}{bad.at[1:]}: {bad.problem}") from None
