"""The documented functions."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from whileai_export.core import mask
from whileai_export.io.simulation import save_simulation
from whileai_export.pipeline.audit import exported_roundtrip
from whileai_export.pipeline.job import Adapter
from whileai_export.pipeline.memory import canonical_rows, pairs_of, reshaped
from whileai_export.pipeline.places import output_of, quarantine_of, report_of
from whileai_export.pipeline.preference import export_pairs
from whileai_export.pipeline.run import Progress
from whileai_export.pipeline.sft import write_sft
from whileai_export.shared.errors import GateError
from whileai_export.shared.options import (
    FORMATS,
    MASK_MODES,
    MAX_ROW_BYTES,
    OnFinding,
    PairOptions,
    Policy,
    Selection,
    SftOptions,
    one_of,
)
from whileai_export.shared.schema import JsonObject, MaskMode, WireFormat

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
    columns: Sequence[str] | None = None,
    adapter: Adapter | str | None = None,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
    max_row_bytes: int = MAX_ROW_BYTES,
) -> dict[str, Any]:
    """Write graded simulations as one SFT file and say what became of every row.

    ``source`` is an object with ``.trajectories``, rows, a path to ``.jsonl[.gz|.zst]``, a
    simulation folder or an ``fsspec`` URL; an iterable is read once. Without ``output`` a path
    source writes ``<stem>.train.jsonl`` beside it and other sources give the report alone.
    ``max_tool_output_chars`` counts characters, ``max_row_bytes`` bytes, ``max_quarantined`` is
    a share of the rows read, ``min_reward`` a number in [0, 1].

    Returns the report: a plain, JSON-safe dict. Raises ``SourceError`` for rows that cannot be
    read, ``OptionError`` for options that cannot be meant, ``GateError`` when a gate refuses;
    then the old file, if there was one, is untouched.
    """
    options = SftOptions(
        formats=(format,),
        mask_mode=mask_mode,
        unroll=unroll,
        strip_think=strip_think,
        max_tool_output_chars=max_tool_output_chars,
        columns=None if columns is None else tuple(columns),
        max_row_bytes=max_row_bytes,
        selection=Selection(min_reward, drop_failed, dedupe, max_per_task, trim_tail),
        policy=Policy(validate, strict, on_bad_row, on_leak, max_quarantined),
    )
    one_of("format", format, FORMATS)
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
    columns: Sequence[str] | None = None,
    adapter: Adapter | str | None = None,
    max_row_bytes: int = MAX_ROW_BYTES,
) -> dict[str, Any]:
    """Write chosen/rejected pairs as one preference file and say what became of every pair.

    A pair is a mapping with ``chosen`` and ``rejected``: rows of any shape, or lists of
    messages. ``build_preference_pairs`` makes pairs of rollouts.

    Returns the report. Raises ``GateError`` with code ``no_preference_pairs`` when nothing is
    left to write, else as ``export_dataset`` does.
    """
    options = PairOptions(
        formats=(format,),
        strip_think=strip_think,
        drop_ties=drop_ties,
        columns=None if columns is None else tuple(columns),
        max_row_bytes=max_row_bytes,
        policy=Policy(validate, strict, on_bad_row, on_leak, max_quarantined),
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
    ) as outcome:
        if validate and outcome.refusal is None and not outcome.report["pairs"]:
            raise GateError(
                "no_preference_pairs", "no pair is left to write", outcome.report
            )
        return report_of(outcome, target)


def training_rows(
    source: object,
    system_prompt: str | None = None,
    tools: Sequence[JsonObject] | None = None,
    strip_think: bool = True,
    mask_mode: MaskMode = "assistant",
    unroll: bool = False,
    max_tool_output_chars: int | None = None,
) -> list[JsonObject]:
    """The rows that ``export_dataset`` would write in format ``openai``, as a list.

    Nothing is judged: arguments that are no object come back as the text that came. Raises
    ``SourceError`` for rows that cannot be read.
    """
    options = SftOptions(
        mask_mode=mask_mode,
        unroll=unroll,
        strip_think=strip_think,
        max_tool_output_chars=max_tool_output_chars,
        policy=Policy(validate=False),
    )
    return canonical_rows(source, options, system_prompt, None if tools is None else list(tools))


def loss_mask(messages: Sequence[JsonObject], mode: MaskMode = "assistant") -> list[int]:
    """One 0 or 1 per message: 1 carries loss, 0 is context only.

    ``assistant`` trains every assistant turn, ``final`` the last one alone (rlhf-book ch. 4,
    "Implementation Details"). Tool output never carries loss (ch. 13). Raises ``OptionError``
    for another mode.
    """
    one_of("mode", mode, MASK_MODES)
    return mask.by_role(messages, mode)


def to_trl(rows: Sequence[JsonObject], kind: str = "training") -> list[JsonObject]:
    """Rows of ``training_rows`` or of a preference file in the shape that TRL reads.

    ``kind`` is ``training`` or ``preference``. Pairs that lack a completion on a side are
    dropped. Raises ``OptionError`` for another kind, ``SourceError`` for what is no row.
    """
    one_of("kind", kind, ("training", "preference"))
    return reshaped(rows, kind)


def tool_call_roundtrip(
    rows: Sequence[JsonObject], format: WireFormat = "openai"
) -> dict[str, Any]:
    """Check that every tool call of exported rows carries structured arguments.

    ``openai`` wants JSON text that parses to an object, ``trl`` an object. Returns counts, the
    first 20 row numbers with an invalid call, and the encoding that was checked.
    """
    one_of("format", format, FORMATS)
    return exported_roundtrip(rows, format)


def leak_report(source: object) -> dict[str, Any]:
    """Which rows of a source quote their own privileged block. Writes nothing."""
    options = SftOptions(policy=Policy(validate=False))
    with write_sft(source, {}, options=options) as outcome:
        if outcome.refusal is not None:
            raise outcome.refusal
        return dict(outcome.report["privileged_leaks"])


def build_preference_pairs(
    rows: object,
    *,
    min_margin: float = 1.0,
    max_pairs_per_task: int = 1,
    length_match: bool = True,
) -> tuple[list[JsonObject], dict[str, Any]]:
    """Pairs of rollouts that answer the same ask of the same task, and why others have none.

    ``min_margin`` is the least difference in reward. A chosen row takes the rejected one that is
    nearest in reply length, measured in characters of all its assistant content.
    """
    options = PairOptions(
        min_margin=min_margin,
        max_pairs_per_task=max_pairs_per_task,
        length_match=length_match,
        policy=Policy(validate=False),
    )
    return pairs_of(rows, options)
