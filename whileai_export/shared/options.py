"""Options that travel together, checked once, with a digest that names their effect."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Literal, TypeAlias, TypeVar, get_args

from whileai_export.shared.errors import OptionError
from whileai_export.shared.nearest import did_you_mean
from whileai_export.shared.schema import MaskMode, WireFormat

OnFinding: TypeAlias = Literal["refuse", "quarantine"]
#: ``auto`` warns where the package ``datasets`` is installed, and is off where it is not.
Reload: TypeAlias = Literal["off", "auto", "warn", "refuse"]
ON_FINDING: tuple[OnFinding, ...] = get_args(OnFinding)
RELOADS: tuple[Reload, ...] = get_args(Reload)
FORMATS: tuple[WireFormat, ...] = get_args(WireFormat)
MASK_MODES: tuple[MaskMode, ...] = get_args(MaskMode)
PREFERENCE_FORMATS: tuple[WireFormat, ...] = ("openai", "trl", "trl-completion", "fireworks")
MAX_ROW_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Policy:
    """What to do about a row that a gate found unfit."""

    validate: bool = True
    strict: bool = False
    on_bad_row: OnFinding = "refuse"
    on_leak: OnFinding = "refuse"
    max_quarantined: float = 0.05
    reload: Reload = "off"
    """Whether staged files are loaded as a trainer loads them, and what a difference does."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which readable rows are written."""

    min_reward: float | None = None
    drop_failed: bool = False
    dedupe: bool = False
    max_per_task: int | None = None
    trim_tail: bool = False
    tokenizer: str | None = None
    """A ``tokenizer.json`` to measure rows with."""
    max_tokens: int | None = None
    """Longer rows are warned of, or left out."""
    drop_long: bool = False


@dataclass(frozen=True, slots=True)
class SftOptions:
    """How trajectories become SFT rows."""

    formats: tuple[WireFormat, ...] = ("openai",)
    mask_mode: MaskMode = "assistant"
    unroll: bool = False
    strip_think: bool = True
    max_tool_output_chars: int | None = None
    columns: tuple[str, ...] | None = None
    adapter: str | None = None
    max_row_bytes: int = MAX_ROW_BYTES
    selection: Selection = field(default_factory=Selection)
    policy: Policy = field(default_factory=Policy)

    @property
    def many_lines(self) -> bool:
        """One row is written in many lines that begin alike."""
        return self.unroll or "trl-completion" in self.formats


@dataclass(frozen=True, slots=True)
class PairOptions:
    """How rollouts of one task become preference pairs."""

    formats: tuple[WireFormat, ...] = ("openai",)
    strip_think: bool = True
    drop_ties: bool = True
    min_margin: float = 1.0
    max_pairs_per_task: int = 1
    length_match: bool = True
    columns: tuple[str, ...] | None = None
    adapter: str | None = None
    max_row_bytes: int = MAX_ROW_BYTES
    selection: Selection = field(default_factory=Selection)
    policy: Policy = field(default_factory=Policy)


Options: TypeAlias = SftOptions | PairOptions
OptionsT = TypeVar("OptionsT", bound=Options)


def plain(options: Options) -> dict[str, Any]:
    """The options as one flat, JSON-safe object."""
    values = asdict(options)
    for part in ("selection", "policy"):
        values.update(values.pop(part))
    return {key: list(v) if isinstance(v, tuple) else v for key, v in values.items()}


def with_values(options: OptionsT, values: Mapping[str, Any]) -> OptionsT:
    """The options with values put in, as flat as ``plain`` gives them.

    ``columns`` adds to the columns that are there: the careful ones are always published.
    """
    given: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in values.items()}
    if given.get("columns") is not None:
        given["columns"] = tuple(dict.fromkeys((*(options.columns or ()), *given["columns"])))
    selection = {f.name: given.pop(f.name) for f in fields(Selection) if f.name in given}
    policy = {f.name: given.pop(f.name) for f in fields(Policy) if f.name in given}
    return replace(
        options,
        **given,
        selection=replace(options.selection, **selection),
        policy=replace(options.policy, **policy),
    )


def digest(options: Options) -> str:
    """16 hex digits of the sha256 of everything that can change a byte of the output."""
    text = json.dumps(plain(options), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def one_of(name: str, value: object, choices: tuple[str, ...]) -> None:
    """Refuse a value that is none of the choices, naming the nearest that is."""
    if value not in choices:
        near = did_you_mean(str(value), choices)
        raise OptionError(f"{name}: expected one of {', '.join(choices)}, got {value!r}{near}")


def check(options: Options) -> None:
    """Refuse what no export could mean."""
    if not options.formats or len(set(options.formats)) < len(options.formats):
        named = ", ".join(map(str, options.formats)) or "none"
        raise OptionError(f"format: expected at least one, each once, got {named}")
    for name in options.formats:
        one_of("format", name, FORMATS if isinstance(options, SftOptions) else PREFERENCE_FORMATS)
    _check_policy(options.policy)
    _check_selection(options.selection)
    _count("max_row_bytes", options.max_row_bytes, 1)
    if isinstance(options, SftOptions):
        _check_sft(options)
    else:
        _share("min_margin", options.min_margin)
        _count("max_pairs_per_task", options.max_pairs_per_task, 1)
    for part in (options, options.policy, options.selection):
        for entry in fields(part):
            if entry.type == "bool" and not isinstance(getattr(part, entry.name), bool):
                raise OptionError(f"{entry.name}: expected true or false")


def _check_policy(policy: Policy) -> None:
    for name in ("on_bad_row", "on_leak"):
        one_of(name, getattr(policy, name), ON_FINDING)
    _share("max_quarantined", policy.max_quarantined)
    one_of("reload", policy.reload, RELOADS)


def _check_selection(selection: Selection) -> None:
    if selection.min_reward is not None:
        _share("min_reward", selection.min_reward)
    if selection.max_per_task is not None:
        _count("max_per_task", selection.max_per_task, 1)
    _check_lengths(selection)


def _check_sft(options: SftOptions) -> None:
    one_of("mask_mode", options.mask_mode, MASK_MODES)
    if options.unroll and "kto" in options.formats:
        raise OptionError(
            "unroll: kto labels a whole rollout, so a row a turn would repeat its label; "
            "trl-completion has a row a trained turn"
        )
    if options.max_tool_output_chars is not None:
        _count("max_tool_output_chars", options.max_tool_output_chars, 0)


def _check_lengths(selection: Selection) -> None:
    if selection.max_tokens is None:
        if selection.drop_long:
            raise OptionError("drop_long: expected max_tokens beside it, got none")
        return
    _count("max_tokens", selection.max_tokens, 1)
    if selection.tokenizer is None:
        raise OptionError("max_tokens: expected tokenizer=, the file that counts them, got none")


def _share(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise OptionError(f"{name}: expected a number from 0 to 1, got {value!r}")


def _count(name: str, value: object, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise OptionError(f"{name}: expected a whole number from {least}, got {value!r}")
