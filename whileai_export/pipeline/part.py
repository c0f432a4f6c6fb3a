"""What one chunk of a source becomes: staged lines, an index, counts. Parts join in order."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from whileai_export.pipeline.columns import ABSENT
from whileai_export.shared.findings import Finding
from whileai_export.shared.schema import WireFormat
from whileai_export.shared.tally import Tally

#: Bytes that JSON text never holds: between the columns of a staged line, and in the place of
#: the tool schemas and the system message that a source gives to all its rows.
GAP = b"\0"
TOOLS = b"\1"
SYSTEM = b"\2"
#: In the finishing pass, in the place of columns that are added inside a line.
HOLE = b"\3"


def recorded(line: int) -> int:
    """The line that a staged row recorded: no place in this part, so none that is moved."""
    return -line


class Signature(NamedTuple):
    """Which columns a staged line has, and of which kinds."""

    names: tuple[str, ...]
    kinds: tuple[str, ...]

    @property
    def brought(self) -> dict[str, str]:
        """The columns under which the line has something to say, and of which kind."""
        pairs = zip(self.names, self.kinds, strict=True)
        return {name: kind for name, kind in pairs if kind != ABSENT}


class Unfit(NamedTuple):
    """A row that is kept out of the output, whole, with what was found."""

    findings: tuple[Finding, ...]
    raw: object
    row: int
    line: int | None


@dataclass(slots=True)
class Staged:
    """Lines of one format without the columns that are known only at the end."""

    lines: list[bytes] = field(default_factory=list)
    data: bytes = b""
    """The lines, once the part is whole."""
    owners: array[int] = field(default_factory=lambda: array("I"))
    """For each line the number of its row among the part's written rows."""
    signatures: array[int] = field(default_factory=lambda: array("I"))
    known: dict[Signature, int] = field(default_factory=dict)

    def add(self, line: bytes, owner: int, signature: int) -> None:
        """One more line."""
        self.lines.append(line)
        self.owners.append(owner)
        self.signatures.append(signature)

    def seal(self) -> None:
        """No more lines: one piece of bytes travels faster than many."""
        self.data = b"\n".join([*self.lines, b""])
        self.lines.clear()

    def number(self, signature: Signature) -> int:
        """The number by which lines name a signature."""
        return self.known.setdefault(signature, len(self.known))


@dataclass(slots=True)
class Part:
    """Everything one chunk gives to the join."""

    staged: Mapping[WireFormat, Staged]
    passed_lines: int = 0
    """Physical lines of the chunk, blank ones too."""
    tasks: list[bytes | None] = field(default_factory=list)
    """Task keys of the readable rows; None for a row that is its own task."""
    rewards: array[float] = field(default_factory=lambda: array("d"))
    rollouts: list[object] = field(default_factory=list)
    sources: array[int] = field(default_factory=lambda: array("I"))
    """For each written row the number of its readable row."""
    turns: array[int] = field(default_factory=lambda: array("I"))
    lines: array[int] = field(default_factory=lambda: array("q"))
    """Lines of the written rows, where rows keep theirs; 0 for a row in memory."""
    keys: list[bytes] = field(default_factory=list)
    """Conversation keys of the written rows, where rows are compared."""
    marks: array[int] = field(default_factory=lambda: array("q"))
    """``Marks`` of the written rows, or ``PairMarks`` of the pairs, flat."""
    unfit: list[Unfit] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)

    def sealed(self) -> Part:
        """The part itself, with no more lines to come."""
        for staged in self.staged.values():
            staged.seal()
        return self
