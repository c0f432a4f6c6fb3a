"""What was counted. Tallies of parts add up to the tally of the whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import NamedTuple

from whileai_export.shared.findings import NAMED, Finding, Gate


class Marks(NamedTuple):
    """What one written row adds to the report."""

    trained: int
    masked: int
    with_system: int
    with_tools: int
    truncated: int
    chars_cut: int
    passed: int
    failed: int
    ungraded: int
    cut: int
    """The rollout ended at its length limit or in an error."""
    open_end: int
    """The conversation ends on a tool result or a user turn."""
    characters: int
    """Everything a chat template shows: texts, arguments, tool schemas."""
    tokens: int
    """The same in tokens; 0 without a tokenizer."""
    trained_anyway: int
    """Assistant turns without loss, which a trainer that reads no mask trains all the same."""
    foreign: int
    """Tool and user turns after the first trained one."""


class PairMarks(NamedTuple):
    """What one written pair adds to the report."""

    longer: int
    """The chosen side is the longer one."""
    same_first_turn: int
    mixed_policies: int
    margins: int
    margin: int
    """In units of 1e-9, so that the order of sums does not matter."""
    backward: int
    """The chosen side has not the better score, and nobody called the pair a tie."""
    foreign: int
    """Turns that are not the assistant's inside the completions of format ``trl``."""
    without_system: int
    without_tools: int
    """Tools are called and none is declared."""
    characters: int
    """Of the longer side: everything a chat template shows."""
    tokens: int
    """The same in tokens; 0 without a tokenizer."""


NO_MARKS = Marks(*(0 for _ in Marks._fields))
NO_PAIR_MARKS = PairMarks(*(0 for _ in PairMarks._fields))


@dataclass(slots=True)
class Seen:
    """What one gate saw: rows it could compare, rows with a finding, the first of them."""

    checked: int = 0
    count: int = 0
    named: list[Finding] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    disclosed: int = 0

    def add(self, findings: list[Finding]) -> None:
        """Take the findings of one row."""
        self.count += 1
        if len(self.rows) < NAMED:
            self.rows.append(findings[0].row)
        if len(self.named) < NAMED:
            self.named.extend(findings[: NAMED - len(self.named)])

    def __add__(self, other: Seen) -> Seen:
        return Seen(
            self.checked + other.checked,
            self.count + other.count,
            (self.named + other.named)[:NAMED],
            (self.rows + other.rows)[:NAMED],
            self.disclosed + other.disclosed,
        )


@dataclass(slots=True)
class Tally:
    """Counts over the rows of a source; every field adds."""

    read: int = 0
    unrolled: int = 0
    quarantined: int = 0
    calls_checked: int = 0
    calls_invalid: int = 0
    filtered: Counter[str] = field(default_factory=Counter)
    repairs: Counter[str] = field(default_factory=Counter)
    shapes: Counter[str] = field(default_factory=Counter)
    rewards: Counter[str] = field(default_factory=Counter)
    prompts: Counter[str] = field(default_factory=Counter)
    tools: Counter[str] = field(default_factory=Counter)
    columns_left_out: Counter[str] = field(default_factory=Counter)
    unsaid: Counter[str] = field(default_factory=Counter)
    """Rows that a format has no line for."""
    seen: dict[Gate, Seen] = field(default_factory=dict)

    def mend(self, repairs: Mapping[str, int]) -> None:
        """Count what was mended in one row."""
        for kind, count in repairs.items():
            self.repairs[kind] += count

    def gate(self, name: Gate) -> Seen:
        """What that gate has seen so far."""
        seen = self.seen.get(name)
        if seen is None:
            seen = self.seen[name] = Seen()
        return seen

    def __add__(self, other: Tally) -> Tally:
        total = Tally()
        for entry in fields(Tally):
            if entry.name != "seen":
                mine, theirs = getattr(self, entry.name), getattr(other, entry.name)
                setattr(total, entry.name, mine + theirs)
        for name in {**self.seen, **other.seen}:
            total.seen[name] = self.seen.get(name, Seen()) + other.seen.get(name, Seen())
        return total
