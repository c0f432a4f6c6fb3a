"""The last pass: staged lines get the columns that only the whole source could tell.

Lines are completed as bytes; nothing is parsed again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from io import BytesIO

from whileai_export.io.encode import dumps, escape_separators
from whileai_export.pipeline.columns import rank
from whileai_export.pipeline.join import Track
from whileai_export.pipeline.part import GAP, HOLE, SYSTEM, TOOLS
from whileai_export.shared.schema import GROUP_FIELDS, JsonObject, Surroundings


class Constants:
    """What a source gives to all its rows, encoded once."""

    def __init__(self, around: Surroundings) -> None:
        message = {"role": "system", "content": around.given_prompt}
        self.system = escape_separators(dumps(message))
        self.tools = escape_separators(dumps(around.given_tools))

    def into(self, block: bytes) -> bytes:
        """Staged bytes with the constants in their places."""
        return block.replace(SYSTEM, self.system).replace(TOOLS, self.tools)


@dataclass(slots=True)
class Layout:
    """The columns of a file, and how each kind of staged line is completed to have them all."""

    columns: dict[str, list[str]]
    """Kinds seen under each column, in the order in which columns are written."""
    plans: list[list[int | bytes] | None] = field(default_factory=list)
    """For each signature: its gaps and segments; None where nothing is missing."""
    late: list[frozenset[str]] = field(default_factory=list)
    """For each signature the late columns that the line does not bring itself."""
    holes: set[int] = field(default_factory=set)
    """The signatures whose late columns stand inside the line."""


def layout(track: Track, late: Sequence[str]) -> Layout:
    """How the lines of a track become rows with the same columns. ``late``: added at the end."""
    own = frozenset(next(iter(track.known)).names[:1]) & {"prompt"} if track.known else frozenset()
    kinds: dict[str, set[str]] = {}
    for signature in track.known:
        for name, kind in signature.brought.items():
            kinds.setdefault(name, set()).add(kind)
    for name in (*late, *(GROUP_FIELDS if "group_id" in kinds else ())):
        kinds.setdefault(name, set()).add(_LATE_KINDS[name])
    ordered = sorted(kinds, key=lambda name: rank(name, own))
    found = Layout({name: sorted(kinds[name]) for name in ordered})
    for signature in track.known:
        missing = _missing(late, signature.brought)
        found.late.append(missing)
        whole = [name for name in ordered if name not in missing]
        plan = None if list(signature.names) == whole else _plan(signature.names, whole)
        if missing and "group_id" in signature.brought:
            # What is added late stands before the fields of a group, also before a row's own.
            plan = plan or _plan(signature.names, whole)
            plan.insert(whole.index("group_id"), HOLE)
            found.holes.add(len(found.plans))
        found.plans.append(plan)
    return found


def _missing(late: Sequence[str], brought: Collection[str]) -> frozenset[str]:
    """The late columns that are added to a line; the fields of a group come all or none."""
    added = frozenset(late).difference(brought)
    return added.difference(GROUP_FIELDS) if "group_id" in brought else added


def _plan(names: tuple[str, ...], wanted: list[str]) -> list[int | bytes]:
    places = {name: place for place, name in enumerate(names)}
    return [places.get(name, escape_separators(dumps(name)) + b":null") for name in wanted]


def complete(
    track: Track, form: Layout, groups: Sequence[JsonObject] | None, constants: Constants
) -> Iterator[bytes]:
    """The finished file, in blocks of whole lines. ``groups`` holds the fields of every task."""
    tails = _Tails(track, form, groups)
    start = 0
    for block in track.spool.blocks():
        # A stream finds line ends several times faster than bytes.split does.
        lines = BytesIO(block).readlines()
        stop = start + len(lines)
        plans = map(form.plans.__getitem__, track.signatures[start:stop])
        pieces = [b""] * (2 * len(lines))
        pieces[::2] = [
            line[:-1] if plan is None else _filled(line[:-1], plan)
            for line, plan in zip(lines, plans, strict=True)
        ]
        pieces[1::2] = tails.between(start, stop)
        if form.holes:
            _fill_holes(pieces, track.signatures[start:stop], form.holes)
        start = stop
        yield constants.into(b"".join(pieces).replace(GAP, b","))


def _fill_holes(pieces: list[bytes], signatures: Sequence[int], holes: set[int]) -> None:
    for place, signature in enumerate(signatures):
        if signature in holes:
            late = pieces[2 * place + 1].removeprefix(b",").removesuffix(b"}\n")
            pieces[2 * place] = pieces[2 * place].replace(HOLE, late)
            pieces[2 * place + 1] = b"}\n"


def _filled(line: bytes, plan: list[int | bytes]) -> bytes:
    segments = line[1:].split(GAP)
    return b"{" + GAP.join([segments[p] if isinstance(p, int) else p for p in plan])


class _Tails:
    """What follows a staged line: row id, group fields, the closing brace."""

    def __init__(self, track: Track, form: Layout, groups: Sequence[JsonObject] | None) -> None:
        self.track = track
        self.late = form.late
        self.groups = [b"," + dumps(fields)[1:] + b"\n" for fields in groups or ()]
        kinds = set(form.late)
        self.plain = not any(kinds)
        self.grouped = bool(groups) and kinds == {frozenset(GROUP_FIELDS)}

    def between(self, start: int, stop: int) -> list[bytes]:
        """What follows each of some lines."""
        if self.plain:
            return [b"}\n"] * (stop - start)
        if self.grouped:
            return [self.groups[task] for task in self.track.tasks[start:stop]]
        return [self._tail(place) for place in range(start, stop)]

    def _tail(self, place: int) -> bytes:
        late = self.late[self.track.signatures[place]]
        tail = b""
        if "source_line" in late:
            tail = b',"source_line":%d' % self.track.lines[place]
        if "row_id" in late:
            tail += b',"row_id":"' + self.track.row_ids[16 * place : 16 * place + 16] + b'"'
        if not self.groups or "group_id" not in late:
            return tail + b"}\n"
        return tail + self.groups[self.track.tasks[place]]


_LATE_KINDS = {
    "source_line": "int64",
    "row_id": "string",
    "group_id": "string",
    "k": "int64",
    "n0": "int64",
    "n1": "int64",
    "reward_mean": "float64",
    "reward_std": "float64",
}
