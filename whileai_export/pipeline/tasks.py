"""An index of the whole simulation: task and reward of every readable row, never its text."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from whileai_export.core.groups import group_fields
from whileai_export.core.identity import lone_task, row_id, task_key, turn_id
from whileai_export.pipeline.part import Part
from whileai_export.shared.schema import JsonObject


class TaskIndex:
    """Grows part by part, in the order of the source."""

    def __init__(self) -> None:
        self.keys: list[bytes] = []
        self.members: array[int] = array("I")
        """The task number of every readable row."""
        self.rewards: array[float] = array("d")
        self._numbers: dict[bytes, int] = {}

    @property
    def repeats(self) -> bool:
        """Some task has more than one rollout."""
        return len(self.keys) < len(self.members)

    def take(self, part: Part) -> array[int]:
        """Add a part's rows; the task number of each, in order."""
        start = len(self.members)
        for key in part.tasks:
            self.members.append(self._number(key))
        self.rewards.extend(part.rewards)
        return self.members[start:]

    def _number(self, key: bytes | None) -> int:
        if key is None:
            key = task_key(lone_task(len(self.members)))
        number = self._numbers.setdefault(key, len(self.keys))
        if number == len(self.keys):
            self.keys.append(key)
        return number

    def groups(self) -> list[JsonObject]:
        """The group fields of every task, over all its rollouts."""
        rewards: list[list[float]] = [[] for _ in self.keys]
        for number, reward in zip(self.members, self.rewards, strict=True):
            rewards[number].append(reward)
        return [group_fields(key, rewards[number]) for number, key in enumerate(self.keys)]


class RowIds:
    """Ids of written rows; the place among a task's rows stands in for a missing rollout index."""

    def __init__(self, simulation: str, index: TaskIndex) -> None:
        self._simulation = simulation
        self._index = index
        self._places: array[int] = array("I")

    def of(self, part: Part, tasks: array[int]) -> Iterator[str]:
        """The id of every written row of a part, after the index took the part."""
        keys, places = self._index.keys, self._places
        places.extend([0] * (len(keys) - len(places)))
        rollouts: list[object] = []
        for number, recorded in zip(tasks, part.rollouts, strict=True):
            rollouts.append(places[number] if recorded is None else recorded)
            places[number] += 1
        for source, turn in zip(part.sources, part.turns, strict=True):
            row = row_id(self._simulation, keys[tasks[source]], rollouts[source])
            yield turn_id(row, turn) if turn else row
