"""Draws the parts of a generated row, all from one seeded stream."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import world

POOL = 480

Row = dict[str, Any]
Sentences = list[str]


def pool(dice: random.Random, templates: list[str]) -> Sentences:
    """Many sentences of a few templates."""
    return [
        dice.choice(templates).format(
            who=dice.choice(world.WHO),
            what=dice.choice(world.WHAT),
            when=dice.choice(world.WHEN),
            where=dice.choice(world.WHERE),
        )
        for _ in range(POOL)
    ]


class Desk:
    """Draws every part of a row from one seeded stream."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)
        self._roll: Callable[[], float] = self._dice.random
        self.asks = pool(self._dice, world.ASKS)
        self.replies = pool(self._dice, world.REPLIES)
        self.thoughts = pool(self._dice, world.THOUGHTS)
        self.sayings = pool(self._dice, world.SAYINGS)
        self.notes = pool(self._dice, world.NOTES)

    def below(self, limit: int) -> int:
        return int(self._roll() * limit)

    def chance(self, probability: float) -> bool:
        return self._roll() < probability

    def one(self, choices: list[Any]) -> Any:
        return choices[int(self._roll() * len(choices))]

    def some(self, sentences: Sentences, least: int, most: int) -> str:
        count = least + self.below(most - least + 1)
        return " ".join([self.one(sentences) for _ in range(count)])

    def hexes(self, digits: int) -> str:
        return f"{self._dice.getrandbits(4 * digits):0{digits}x}"

    def text(self, thoughts: tuple[int, int], sayings: tuple[int, int]) -> str:
        """What the assistant says, mostly behind a think block."""
        said = self.some(self.sayings, *sayings)
        if self.chance(0.15):
            return said
        return f"<think>{self.some(self.thoughts, *thoughts)}</think>\n\n{said}"

    def arguments(self, tool: str) -> Row:
        booking, sailing = f"TS-{self.below(9000) + 1000}", f"S{self.below(900) + 100}"
        match tool:
            case "open_booking":
                return {"booking": booking, "notes": self.chance(0.5)}
            case "list_sailings":
                day = self.one(world.DAYS)
                return {"route": self.one(world.ROUTES), "day": day, "vehicles": self.below(3)}
            case "quote_fare":
                cabin, discount = self.one(world.CABINS), self.below(40) / 100
                return {
                    "booking": booking,
                    "sailing": sailing,
                    "cabin": cabin,
                    "discount": discount,
                }
            case "move_booking":
                return {"booking": booking, "sailing": sailing, "agreed": self.chance(0.7)}
            case "refund_booking":
                return {"booking": booking, "amount": self.below(20000) / 100}
        wishes = [self.one(world.WHAT), self.one(world.WHERE)]
        return {"sailing": sailing, "cabin": self.one(world.CABINS), "berths": 2, "wishes": wishes}

    def result(self) -> Row:
        if self.chance(0.06):
            return {"status": "error", "error": "the desk system did not answer in time"}
        sailings = [
            {
                "sailing": f"S{self.below(900) + 100}",
                "leaves": f"{self.below(24):02}:{self.below(12) * 5:02}",
                "room": {"cars": self.below(80), "cabins": self.below(40)},
                "fare": self.below(30000) / 100,
            }
            for _ in range(1 + self.below(2))
        ]
        note = self.one(self.notes)
        return {"status": "ok", "sailings": sailings, "note": note, "final": self.chance(0.5)}

    def tool_step(self) -> Row:
        tool = self.one(world.TOOLS)["function"]["name"]
        step = {"tool": tool, "arguments": self.arguments(tool), "result": self.result()}
        if self.chance(0.7):
            step["text"] = self.text((1, 1), (1, 1))
        return step

    def steps(self) -> list[Row]:
        """Two to four tool steps, mostly with a question to the user in between."""
        steps = [self.tool_step() for _ in range(2 + self.below(3))]
        if self.chance(0.75):
            steps[1:1] = [{"text": self.text((1, 1), (1, 2))}, self.user_step()]
        return steps

    def user_step(self) -> Row:
        return {"user": self.some(self.replies, 1, 2)}
