"""The columns beside a format's own: which a row carries, under which names, in which order."""

from __future__ import annotations

from collections.abc import Collection

from whileai_export.shared.careful import PUBLISHED, PUBLISHED_PAIRS
from whileai_export.shared.errors import OptionError
from whileai_export.shared.schema import CARRIED, GROUP_FIELDS, PRIVATE_KEYS, JsonObject

_AFTER = ("unroll", "tool_output_truncated", "tool_output_chars_cut", "task")
_PRIVATE = ("finish_reason", "final_text", "privileged")
#: Columns of a source that hold the whole row as text, its private parts too.
_NEVER = frozenset((*_PRIVATE, "source_line", "messages_json", "steps_json", "metadata_json"))
#: Written in the finishing pass where the row did not bring them itself.
LATE = ("source_line", "row_id", *GROUP_FIELDS)

#: Kept whatever columns are chosen: the ask, and what tells that a row was made of another.
ALWAYS = frozenset(
    ("prompt", "unroll", "tool_output_truncated", "tool_output_chars_cut", *GROUP_FIELDS)
)

#: Columns that would make a trainer or a loader act differently (beside ``messages`` and beside
#: ``prompt``); measured with trl 1.16 and datasets 5.2.
ACTED_ON = frozenset(
    """prompt completion chosen rejected messages conversations labels label assistant_masks
    completion_mask seq_lengths image images text input_ids prompt_ids chosen_ids rejected_ids
    ref_chosen_logps ref_rejected_logps ref_logps chat_template_kwargs weight input type payload
    id source model system_prompt tools loss_mask""".split()
)

#: Columns that make up a format, in the order in which they are written, before all others.
OWN = tuple(
    """messages input chosen rejected preferred_output non_preferred_output completion label
    loss_mask tools""".split()
)
_PAIR = tuple(
    """tie first_turn_differs chosen_score rejected_score margin chosen_model rejected_model
    same_policy length_delta chosen_reason rejected_reason rejected_failure_class""".split()
)
_MOVED = {"prompt": ("prompt", "prompt_text")}

#: Rank of every known column; unknown ones come after ``model_version``, by name.
ORDER: dict[str, int] = {
    name: rank
    for rank, name in enumerate(
        (
            *OWN,
            *(n for column in CARRIED for n in _MOVED.get(column, (column,))),
            *_PAIR, "", *_AFTER, *_PRIVATE, "schema_version", *LATE,
        )
    )
}  # fmt: skip


def rank(name: str, own: frozenset[str] = frozenset()) -> tuple[int, str]:
    """Where a column stands among all columns; a format's own ``prompt`` comes first."""
    return (-1 if name == "prompt" and name in own else ORDER.get(name, ORDER[""])), name


def written_name(name: str, ask: str) -> str:
    """What a carried column is called in a format; names a trainer acts on are moved aside."""
    if name == "prompt":
        return ask
    return f"meta_{name}" if name in ACTED_ON else name


def chosen(columns: JsonObject, kept: frozenset[str] | None) -> JsonObject:
    """The carried columns that are kept; all of them where nobody chose."""
    if kept is None:
        return columns
    return {name: value for name, value in columns.items() if name in kept}


def ordered(columns: JsonObject) -> JsonObject:
    """The columns in the order in which they are written."""
    return {name: columns[name] for name in sorted(columns, key=rank)}


def kind(type_: type) -> str:
    """The type of a column's values, as a dataset's features would say it."""
    return _KINDS.get(type_, "json")


#: The kind of a column on a line that has nothing to say under it.
ABSENT = "null"


def check_columns(names: tuple[str, ...] | None) -> None:
    """Refuse columns that only the grader may see, and two that would have one name."""
    for name in names or ():
        if not isinstance(name, str) or not name:
            raise OptionError(f"columns: expected names, got {type(name).__name__}")
    private = sorted((PRIVATE_KEYS | _NEVER).intersection(names or ()))
    if private:
        raise OptionError(f"columns: {', '.join(private)} are private and never leave")
    written = [written_name(name, name) for name in dict.fromkeys(names or ())]
    twice = sorted({name for name in written if written.count(name) > 1})
    if twice:
        raise OptionError(f"columns: two columns would be called {', '.join(twice)}")


def absent(asked: tuple[str, ...] | None, brought: Collection[str]) -> list[str]:
    """The columns that were asked for and stand in no row. The careful ones nobody asks for."""
    known = {*PUBLISHED, *PUBLISHED_PAIRS, *LATE, "prompt"}
    return [
        name
        for name in dict.fromkeys(asked or ())
        if name not in known and not {name, written_name(name, name)}.intersection(brought)
    ]


_KINDS: dict[type, str] = {str: "string", float: "float64", int: "int64", bool: "bool"}
_KINDS[type(None)] = ABSENT

#: Columns that rows carry by themselves; any other is read from the source when it is asked for.
KNOWN = frozenset(
    (*CARRIED, *_AFTER, *LATE, "prompt_text", "messages", "loss_mask", "tools", "schema_version")
)
