from __future__ import annotations

import hashlib

import pytest

from whileai_export.shared.errors import OptionError
from whileai_export.versions.split import Split, groups_of


def ask(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def sides(rows: list[tuple[str | None, str]], share: float) -> list[str]:
    groups = groups_of((task, ask(text)) for task, text in rows)
    return [groups.side(task, ask(text), Split(share)) for task, text in rows]


def test_about_the_share_is_held_back_and_always_the_same() -> None:
    rows = [(f"t{n}", f"ask {n}") for n in range(1000)]
    found = sides(rows, 0.2)
    assert 160 <= found.count("test") <= 240
    assert sides(rows[::-1], 0.2) == found[::-1]


def test_a_task_goes_by_its_sha256() -> None:
    share = int(hashlib.sha256(b"t1").hexdigest()[:16], 16) / (1 << 64)
    assert sides([("t1", "a")], share + 1e-9) == ["test"]
    assert sides([("t1", "a")], share - 1e-9) == ["train"]


def test_tasks_that_share_an_ask_stay_together() -> None:
    rows: list[tuple[str | None, str]] = [
        *[(f"t{n}", f"ask {n}") for n in range(50)],
        *[(f"t{n}", f"ask {n + 1}") for n in range(49)],
    ]
    assert len(set(sides(rows, 0.5))) == 1


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
