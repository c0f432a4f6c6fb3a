"""The documented functions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from whileai_export.io.simulation import save_simulation
from whileai_export.pipeline.exported import tool_call_roundtrip
from whileai_export.pipeline.job import Adapter
from whileai_export.pipeline.looking import leak_report, loss_mask
from whileai_export.pipeline.memory import build_preference_pairs, training_rows
from whileai_export.pipeline.places import columns_of, output_of, quarantine_of, report_of
from whileai_export.pipeline.preference import export_pairs
from whileai_export.pipeline.reshape import to_trl
from whileai_export.pipeline.sft import write_sft
from whileai_export.shared.errors import GateError
from whileai_export.shared.options import (
    FORMATS,
    MAX_ROW_BYTES,
    PREFERENCE_FORMATS,
    OnFinding,
    PairOptions,
    Policy,
    Reload,
    Selection,
    SftOptions,
    one_of,
)
from whileai_export.shared.schema import JsonObject, MaskMode, WireFormat
from whileai_export.shared.watching import Watcher

if TYPE_CHECKING:
    from concurrent.futures import Executor

__all__ = [
    "build_preference_pairs",
    "export_dataset",
    "export_preference",
    "export_training",
    "leak_report",
    "loss_mask",
    "save_simulation",
    "to_trl",
    "tool_call_roundtrip",
    "training_rows",
]


def export_dataset(
    source: object,
    output: str | Path | None = None,
    system_prompt: str | None = None,
    tools: Sequence[JsonObject] | None = None,
    strip_think: bool = True,
    validate: bool = True,
    mask_mode: MaskMode = "assistant",
    unroll: bool = False,
    max_tool_output_chars: int | None = None,
    format: WireFormat = "openai",
    *,
    on_bad_row: OnFinding = "refuse",
    on_leak: OnFinding = "refuse",
    quarantine: str | Path | None = None,
    max_quarantined: float = 0.05,
    strict: bool = False,
    min_reward: float | None = None,
    drop_failed: bool = False,
    dedupe: bool = False,
    max_per_task: int | None = None,
    trim_tail: bool = False,
    tokenizer: str | Path | None = None,
    max_tokens: int | None = None,
    drop_long: bool = False,
    columns: Sequence[str] | None = None,
    adapter: Adapter | str | None = None,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Watcher | None = None,
    max_row_bytes: int = MAX_ROW_BYTES,
    reload: Reload = "off",
) -> dict[str, Any]:
    """Write graded simulations as one SFT file and say what became of every row.

    ``source`` is an object with ``.trajectories``, rows, a path to ``.jsonl[.gz|.zst]``, a
    simulation folder or an ``fsspec`` URL; an iterable is read once. Without ``output`` a path
    source writes ``<stem>.train.jsonl`` beside it and other sources give the report alone.
    ``max_tool_output_chars`` counts characters, ``max_row_bytes`` bytes, ``max_quarantined`` is
    a share of the rows read, ``min_reward`` a number in [0, 1]. ``tokenizer`` is a
    ``tokenizer.json`` that measures rows; those past ``max_tokens`` are warned of, or left out
    with ``drop_long``. ``reload`` loads the file as a trainer does before it is put in place, and
    warns or refuses where a value comes back changed.

    Returns the report: a plain, JSON-safe dict. Raises ``SourceError`` for rows that cannot be
    read, ``OptionError`` for options that cannot be meant, ``GateError`` when a gate refuses;
    then the old file, if there was one, is untouched.
    """
    one_of("format", format, FORMATS)
    limits = (None if tokenizer is None else str(tokenizer), max_tokens, drop_long)
    options = SftOptions(
        formats=(format,),
        mask_mode=mask_mode,
        unroll=unroll,
        strip_think=strip_think,
        max_tool_output_chars=max_tool_output_chars,
        columns=columns_of(columns),
        max_row_bytes=max_row_bytes,
        selection=Selection(min_reward, drop_failed, dedupe, max_per_task, trim_tail, *limits),
        policy=Policy(validate, strict, on_bad_row, on_leak, max_quarantined, reload),
    )
    target = output_of(source, output)
    with write_sft(
        source,
        {} if target is None else {format: target},
        options=options,
        quarantine=quarantine_of(target, quarantine, options.policy),
        system_prompt=system_prompt,
        tools=None if tools is None else list(tools),
        adapter=adapter,
        workers=workers,
        executor=executor,
        progress=progress,
    ) as outcome:
        return report_of(outcome, target)


export_training = export_dataset


def export_preference(
    pairs: object,
    output: str | Path | None = None,
    system_prompt: str | None = None,
    tools: Sequence[JsonObject] | None = None,
    strip_think: bool = True,
    validate: bool = True,
    drop_ties: bool = True,
    format: WireFormat = "openai",
    *,
    on_bad_row: OnFinding = "refuse",
    on_leak: OnFinding = "refuse",
    quarantine: str | Path | None = None,
    max_quarantined: float = 0.05,
    strict: bool = False,
    min_reward: float | None = None,
    drop_failed: bool = False,
    dedupe: bool = False,
    max_per_task: int | None = None,
    trim_tail: bool = False,
    tokenizer: str | Path | None = None,
    max_tokens: int | None = None,
    drop_long: bool = False,
    columns: Sequence[str] | None = None,
    adapter: Adapter | str | None = None,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Watcher | None = None,
    max_row_bytes: int = MAX_ROW_BYTES,
    reload: Reload = "off",
) -> dict[str, Any]:
    """Write chosen/rejected pairs as one preference file and say what became of every pair.

    A pair is a mapping with ``chosen`` and ``rejected``: rows of any shape, or lists of
    messages. ``build_preference_pairs`` makes pairs of rollouts. ``min_reward`` is the least
    score of a chosen side, ``dedupe`` and ``max_per_task`` count pairs; a side ends on an
    assistant turn with and without ``trim_tail``.

    Returns the report. Raises ``GateError`` with code ``no_preference_pairs`` when nothing is
    left to write, else as ``export_dataset`` does.
    """
    one_of("format", format, PREFERENCE_FORMATS)
    limits = (None if tokenizer is None else str(tokenizer), max_tokens, drop_long)
    options = PairOptions(
        formats=(format,),
        strip_think=strip_think,
        drop_ties=drop_ties,
        columns=columns_of(columns),
        max_row_bytes=max_row_bytes,
        selection=Selection(min_reward, drop_failed, dedupe, max_per_task, trim_tail, *limits),
        policy=Policy(validate, strict, on_bad_row, on_leak, max_quarantined, reload),
    )
    target = output_of(None, output)
    with export_pairs(
        pairs,
        {} if target is None else {format: target},
        options=options,
        quarantine=quarantine_of(target, quarantine, options.policy),
        system_prompt=system_prompt,
        tools=None if tools is None else list(tools),
        adapter=adapter,
        workers=workers,
        executor=executor,
        progress=progress,
    ) as outcome:
        if validate and outcome.refusal is None and outcome.empty:
            raise GateError("no_preference_pairs", "no pair is left to write", outcome.report)
        return report_of(outcome, target)
