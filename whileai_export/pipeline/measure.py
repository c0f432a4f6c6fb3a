"""What a written row adds to the report: its turns, its grade, its length."""

from __future__ import annotations

from collections.abc import Sequence

from whileai_export.core.canonical import SftRow
from whileai_export.core.encoding import encode_arguments
from whileai_export.core.groups import PASS
from whileai_export.core.select import ends_open
from whileai_export.io.encode import dumps
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.tokens import conversation_tokens
from whileai_export.shared.schema import JsonObject, Message, Trajectory


class Measure:
    """Measures the rows of one job; schemas that many rows share are measured once."""

    def __init__(self, job: Job) -> None:
        self.tokenizer = job.options.selection.tokenizer
        self.labels_all = "kto" in job.options.formats
        self._tools: list[JsonObject] | None = None
        self._schemas = 0

    def marks(self, row: SftRow, trajectory: Trajectory, cut: tuple[int, int]) -> tuple[int, ...]:
        """The row's marks; ``cut``: shortened tool results and the characters they lost."""
        messages, mask, reward = row.messages, row.loss_mask, row.reward
        loss = sum(mask)
        spoken = [m["role"] for m in messages].count("assistant")
        return (
            loss,
            len(mask) - loss,
            bool(mask) and messages[0]["role"] == "system",
            bool(row.tools),
            *cut,
            reward is not None and reward >= PASS,
            reward is not None and reward < PASS,
            reward is None,
            trajectory.finish is not None,
            ends_open(messages),
            self.characters(messages, row.texts, row.tools),
            self.tokens(messages, row.texts, row.tools),
            spoken - loss,
            foreign(messages, mask) if self.labels_all else 0,
        )

    def longer_side(
        self, sides: Sequence[Sequence[Message]], tools: list[JsonObject] | None
    ) -> tuple[int, int]:
        """Characters and tokens of the longer conversation of a pair."""
        texts = [_texts(side) for side in sides]
        each = list(zip(sides, texts, strict=True))
        return (
            max(self.characters(side, text, tools) for side, text in each),
            max(self.tokens(side, text, tools) for side, text in each),
        )

    def characters(
        self, messages: Sequence[Message], texts: Sequence[str], tools: list[JsonObject] | None
    ) -> int:
        """Everything a chat template shows: texts, arguments, schemas."""
        if tools is not self._tools:
            self._tools, self._schemas = tools, len(dumps(tools)) if tools else 0
        return sum([len(m["content"]) for m in messages]) + sum(map(len, texts)) + self._schemas

    def tokens(
        self, messages: Sequence[Message], texts: Sequence[str], tools: list[JsonObject] | None
    ) -> int:
        """The same in tokens; 0 without a tokenizer."""
        if self.tokenizer is None:
            return 0
        return conversation_tokens(self.tokenizer, messages, texts, tools)


def _texts(messages: Sequence[Message]) -> list[str]:
    calls = [call for m in messages for call in m.get("tool_calls", ())]
    return [str(encode_arguments(call["arguments"], "openai")) for call in calls]


def foreign(messages: Sequence[Message], mask: Sequence[int]) -> int:
    """Tool and user turns after the first trained one."""
    first = mask.index(1) if 1 in mask else len(mask)
    return sum([m["role"] != "assistant" for m in messages[first:]])
