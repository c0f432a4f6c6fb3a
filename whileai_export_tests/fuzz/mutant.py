"""One mutant: a few rows of one simulation, damaged once or more often."""

from __future__ import annotations

import gzip
import json
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random
from typing import Any

from whileai_export_tests.fuzz import corpus, mutations, words


@dataclass(frozen=True, slots=True)
class Mutant:
    """A file's bytes, and its rows as a program would hold them."""

    number: int
    data: bytes
    rows: list[Any]
    suffix: str
    secretive: bool
    """The canary stands only where private or spoken words stand."""


def mutant(seed: int, number: int) -> Mutant:
    """The mutant of that number; the same every time."""
    random = Random(f"{seed}:{number}")
    simulation = random.choice(corpus.simulations())
    start = random.randrange(len(simulation))
    rows: list[Any] = [json.loads(row) for row in simulation[start : start + random.randint(1, 4)]]
    known = {mutations.quote, mutations.remove, mutations.turns, mutations.text}
    done = []
    if random.random() < 0.85:
        for _ in range(random.choice((1, 1, 2, 3, 6))):
            change = random.choice(mutations.STRUCTURE)
            place = random.randrange(len(rows))
            change(rows[place], random)
            done.append(change)
    data = b"".join(words.text_of(row, random) + b"\n" for row in rows)
    if random.random() < 0.3 or not done:
        for _ in range(random.choice((1, 1, 2, 5))):
            data = mutations.damaged_bytes(data, random)
            done.append(mutations.damaged_bytes)
    suffix = random.choice(("", "", "", "", ".gz"))
    secretive = known.issuperset(done) and words.CANARY not in json.dumps(_said_elsewhere(rows))
    return Mutant(number, data, rows, suffix, secretive)


def packed(made: Mutant) -> bytes:
    """The bytes as they stand on the disk."""
    return gzip.compress(made.data, 1) if made.suffix else made.data


def in_memory(made: Mutant, random: Random) -> list[Any]:
    """The rows as Python objects, some of them of a kind that JSON does not have."""
    rows = deepcopy(made.rows)
    if random.random() < 0.5:
        found = mutations.places(rows)
        container, key = random.choice(found)
        container[key] = random.choice(
            (
                *(b"bytes", {1, 2}, datetime(2024, 1, 2, tzinfo=UTC), object(), 1j, Exception("x")),
                *((1, 2), {1: 2}, {None: 1}, range(3), float, iter(()), memoryview(b"a")),
            )
        )
    if random.random() < 0.05:
        rows[0] = {"messages": rows}
        rows[0]["again"] = rows[0]
    return rows


def _said_elsewhere(rows: list[Any]) -> Any:
    """What the rows say where a report may repeat it: ids and names."""
    spoken = ("content", "text", "final_text", "privileged")
    found = [(c, k) for row in rows for c, k in mutations.places(row) if k not in spoken]
    return [c[k] for c, k in found if isinstance(c[k], str) and c[k][:1] not in "{["]
