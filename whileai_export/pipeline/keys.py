"""The keys of rows that nothing here reads: a grade under another name would stand there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import islice
from typing import NamedTuple

import orjson

from whileai_export.core.aliases import ASK_ALIASES, FINAL_ALIASES
from whileai_export.core.carry import OF_TRAINING
from whileai_export.core.values import is_plain
from whileai_export.io.lines import lines
from whileai_export.io.source import opened
from whileai_export.shared.schema import CARRIED

#: What makes up a conversation, in any shape of a row, and what stands around it.
_CONVERSATION = frozenset(
    """messages steps tool_trace opener final_text finish_reason privileged task_id tools
    system_prompt loss_mask prompt_text responses_create_params response messages_json steps_json
    metadata_json schema_version source_line""".split()
)
READ = frozenset((*CARRIED, *OF_TRAINING, *ASK_ALIASES, *FINAL_ALIASES)) | _CONVERSATION
#: Rows that are looked at: those of one simulation have the same keys.
FIRST = 1000


class Keys(NamedTuple):
    """The keys of the first rows of a source that are plain names, each on how many of them."""

    rows: int
    seen: Mapping[str, int]

    @property
    def unread(self) -> dict[str, int]:
        """Those that nothing reads, the most frequent first."""
        return {key: rows for key, rows in self.seen.items() if key not in READ}

    def lacking(self, key: str) -> int:
        """How many of the rows are without a key."""
        return self.rows - self.seen.get(key, 0)


def keys_of(source: object) -> Keys:
    """The keys of the first rows; a line that is no object is no row."""
    found: Counter[str] = Counter()
    rows = 0
    with opened(source) as place:
        raw = place.rows or () if place.path is None else (r for _, r in lines(place.path))
        for keys in filter(None, map(_keys, islice(raw, FIRST))):
            found.update(filter(is_plain, keys))
            rows += 1
    return Keys(rows, dict(found.most_common()))


def _keys(row: object) -> list[str]:
    if isinstance(row, bytes):
        try:
            row = orjson.loads(row)
        except orjson.JSONDecodeError:
            return []
    return [key for key in row if isinstance(key, str)] if isinstance(row, dict) else []
