"""``inspect`` always answers, whatever became of the file."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path

import pytest

from whileai_export.demo import parcel_desk, workshop_desk
from whileai_export_tests.cli.calling import call

ROWS = [json.dumps(row).encode() for row in workshop_desk().trajectories[:8]]
ROWS += [json.dumps(row).encode() for row in parcel_desk().trajectories[:8]]
VALUES: list[object] = [None, True, 0, -1.5, 1e400, "", "x", [], {}, [None], {"a": {}}, 2**70]


def torn(rows: list[bytes], chance: random.Random) -> bytes:
    """Bytes cut, doubled, flipped or put in."""
    data = bytearray(b"\n".join(rows) + b"\n")
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(data))
        match chance.randrange(4):
            case 0:
                del data[at : at + chance.randint(1, 400)]
            case 1:
                data[at:at] = data[at : at + chance.randint(1, 400)]
            case 2:
                data[at] ^= 1 << chance.randrange(8)
            case _:
                data[at:at] = chance.choice([b"\n", b"\0", b"\xff", b'"', b"{", b"]", b"NaN"])
    return bytes(data)


def bent(rows: list[bytes], chance: random.Random) -> bytes:
    """Values of another kind, at any depth."""
    found = [json.loads(row) for row in rows]
    for _ in range(chance.randint(1, 4)):
        place: object = chance.choice(found)
        while isinstance(place, dict | list) and place:
            key = chance.choice(list(place) if isinstance(place, dict) else range(len(place)))
            if chance.random() < 0.3 or not isinstance(place[key], dict | list):
                place[key] = copy.deepcopy(chance.choice(VALUES))
                break
            place = place[key]
    return b"".join(json.dumps(row).encode() + b"\n" for row in found)


@pytest.mark.slow
@pytest.mark.parametrize("damage", [torn, bent])
@pytest.mark.parametrize("seed", range(10))
def test_it_answers_whatever_the_damage(damage, seed: int, tmp_path: Path):
    chance = random.Random(seed)
    file = tmp_path / "runs.jsonl"
    for _ in range(100):
        file.write_bytes(damage(chance.sample(ROWS, chance.randint(1, 4)), chance))
        done = call("inspect", file, "--json")
        assert done.exit_code in (0, 2), (seed, file.read_bytes(), done.exception)
        assert json.loads(done.output)
    assert [path.name for path in tmp_path.iterdir()] == ["runs.jsonl"]
