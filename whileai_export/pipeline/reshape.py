"""Exported rows that somebody holds in memory, in the shape that TRL reads."""

from __future__ import annotations

from collections.abc import Sequence

from whileai_export.core.canonical import PairRow
from whileai_export.core.carry import scrubbed
from whileai_export.core.encoding import wire_messages
from whileai_export.core.wire import trl_pair
from whileai_export.pipeline.door import read_settled, settled
from whileai_export.pipeline.job import READING
from whileai_export.pipeline.sides import ask_of, completes, read_pair
from whileai_export.shared.errors import BadRow, SourceError
from whileai_export.shared.options import one_of
from whileai_export.shared.schema import PRIVATE_KEYS, JsonObject


def to_trl(rows: Sequence[JsonObject], kind: str = "training") -> list[JsonObject]:
    """Rows of ``training_rows`` or of a preference file in the shape that TRL reads.

    ``kind`` is ``training`` or ``preference``. Pairs that lack a completion on a side are
    dropped. Raises ``OptionError`` for another kind, ``SourceError`` for what is no row.
    """
    one_of("kind", kind, ("training", "preference"))
    shape = _training_row if kind == "training" else _preference_row
    found = []
    for number, row in enumerate(rows):
        try:
            made = shape(row)
        except BadRow as bad:
            raise SourceError(f"row {number}: {bad.problem}", at=bad.at) from None
        if made is not None:
            found.append(made)
    return found


def _training_row(row: JsonObject) -> JsonObject:
    plain, repairs = settled(row, READING)
    trajectory = read_settled(plain, repairs, READING)
    made: JsonObject = {"messages": wire_messages(trajectory.messages, "trl")}
    rest = plain if "messages" in plain else {"tools": trajectory.tools, **trajectory.columns}
    made.update(_shown({k: v for k, v in rest.items() if k not in ("messages", "prompt")}))
    if "prompt" in rest:
        made["prompt_text"] = rest["prompt"]
    return made


def _preference_row(row: JsonObject) -> JsonObject | None:
    pair = read_pair(row, READING)
    chosen, rejected = (side.messages for side in pair.sides)
    if not (completes(chosen) and completes(rejected)):
        return None
    tools = pair.chosen.tools or pair.rejected.tools
    line = trl_pair(PairRow(ask_of(pair), chosen, rejected, tools))
    if line is None:
        return None
    line.update(_shown({k: v for k, v in pair.given.items() if k not in ("prompt", *line)}))
    return line


def _shown(columns: JsonObject) -> JsonObject:
    """Everything that was beside the messages but what only the grader may see."""
    open_ = {name: value for name, value in columns.items() if name not in PRIVATE_KEYS}
    return {name: v if name == "tools" else scrubbed(v)[0] for name, v in open_.items()}
