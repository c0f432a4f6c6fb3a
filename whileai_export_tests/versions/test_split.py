from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence

import pytest

from whileai_export.shared.errors import OptionError
from whileai_export.versions.split import Split, groups_of


def ask(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def sides(rows: Sequence[tuple[str | None, str]], share: float) -> list[str]:
    groups = groups_of((task, ask(text)) for task, text in rows)
    return [groups.side(task, ask(text), Split(share)) for task, text in rows]


def group(name: str, size: int) -> list[tuple[str, str]]:
    """Tasks of one ask."""
    return [(f"{name} task {n}", f"ask of {name}") for n in range(size)]


def test_about_the_share_is_held_back_and_always_the_same() -> None:
    rows = [(f"t{n}", f"ask {n}") for n in range(1000)]
    found = sides(rows, 0.2)
    assert 160 <= found.count("test") <= 240
    assert sides(rows[::-1], 0.2) == found[::-1]


def test_a_task_goes_by_its_sha256() -> None:
    share = int(hashlib.sha256(b"t1").hexdigest()[:16], 16) / (1 << 64)
    assert sides([("t1", "a")], share + 1e-9) == ["test"]
    assert sides([("t1", "a")], share - 1e-9) == ["train"]


def test_a_task_that_shares_no_ask_goes_by_its_own_sha256_however_often_it_asks() -> None:
    rows = [(f"t{n}", f"ask {n}.{k}") for n in range(100) for k in range(1 + n % 3)]
    found = zip((task for task, _ in rows), sides(rows, 0.05), strict=True)
    assert sorted({task for task, side in found if side == "test"}) == [
        "t43",
        "t48",
        "t61",
        "t66",
        "t98",
    ]


def test_tasks_that_share_an_ask_stay_together() -> None:
    rows: list[tuple[str | None, str]] = [
        *[(f"t{n}", f"ask {n}") for n in range(50)],
        *[(f"t{n}", f"ask {n + 1}") for n in range(49)],
    ]
    assert len(set(sides(rows, 0.5))) == 1


@pytest.mark.parametrize(("smallest", "largest"), [(1, 1), (2, 2), (1, 5), (6, 20), (100, 100)])
def test_the_share_is_one_of_groups_whatever_their_size(smallest: int, largest: int) -> None:
    sizes = [smallest + n % (largest - smallest + 1) for n in range(400)]
    rows = [row for n, size in enumerate(sizes) for row in group(f"g{n}", size)]
    found = set(zip((text for _, text in rows), sides(rows, 0.1), strict=True))
    held = [text for text, side in found if side == "test"]
    assert 24 <= len(held) <= 56
    assert len(found) == 400  # every ask is on one side


def test_small_and_large_groups_of_one_version_are_held_back_alike() -> None:
    rows = [row for n in range(400) for row in group(f"g{n}", 1 + n % 20)]
    found = set(zip((text for _, text in rows), sides(rows, 0.1), strict=True))
    held = {int(text.removeprefix("ask of g")) for text, side in found if side == "test"}
    assert 12 <= len([n for n in held if n % 20 < 10]) <= 28
    assert 12 <= len([n for n in held if n % 20 >= 10]) <= 28


def test_the_first_task_by_name_decides_for_its_group() -> None:
    for n in range(40):
        alone = sides([(f"g{n} task 0", "its own")], 0.5)
        assert sides(group(f"g{n}", 20), 0.5) == alone * 20


def test_tasks_of_later_names_move_no_group() -> None:
    before = [row for n in range(100) for row in group(f"g{n}", 3)]
    after = [row for n in range(100) for row in group(f"g{n}", 9)]
    held = dict(zip(after, sides(after, 0.3), strict=True))
    assert [held[row] for row in before] == sides(before, 0.3)


@pytest.mark.parametrize("seed", range(5))
def test_no_group_is_torn_in_whatever_order_its_rows_come(seed: int) -> None:
    chance = random.Random(seed)
    linked: list[tuple[str | None, str]] = [
        (None if chance.random() < 0.2 else f"t{chance.randrange(60)}", f"{chance.randrange(80)}")
        for _ in range(90)
    ]
    found = dict(zip(linked, sides(linked, 0.5), strict=True))
    for what in (0, 1):
        placed = {(row[what], side) for row, side in found.items() if row[what] is not None}
        assert len(placed) == len({name for name, _ in placed})
    chance.shuffle(linked)
    assert dict(zip(linked, sides(linked, 0.5), strict=True)) == found


def test_a_row_without_a_task_goes_with_its_ask() -> None:
    rows: list[tuple[str | None, str]] = [(f"t{n}", f"ask {n}") for n in range(50)]
    bare: list[tuple[str | None, str]] = [(None, text) for _, text in rows]
    found = sides([*bare, *rows], 0.5)
    assert found[:50] == found[50:]


def test_nothing_is_held_back_by_default() -> None:
    assert Split().plain() == {"test": 0.0, "by": "sha256 of the task"}
    assert set(sides([(f"t{n}", f"{n}") for n in range(50)], 0.0)) == {"train"}


@pytest.mark.parametrize("share", [-0.1, 1, 2.0, True, "0.5", float("nan")])
def test_what_is_no_share_is_refused(share: float) -> None:
    with pytest.raises(OptionError, match="test_share: expected a share from 0 to below 1"):
        Split(share)
