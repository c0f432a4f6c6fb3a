"""What a row calls the ask and the closing text: their own names, else the first other name."""

from __future__ import annotations

from whileai_export.core.values import kind_of
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import NO_REPAIRS, JsonObject, Repairs

ASK_ALIASES = ("question", "input", "task", "ask")
FINAL_ALIASES = ("final", "output", "response", "answer", "reply")
ARGUMENT_ALIASES = ("args", "input", "parameters")
RESULT_ALIASES = ("output", "response")

ALIAS_READ: Repairs = {"aliases_read": 1}


def ask_of(row: JsonObject) -> tuple[str | None, Repairs]:
    """The ask of a row, where it has one as text."""
    text = row.get("prompt")
    if type(text) is str and text:
        return text, NO_REPAIRS
    return _text_under("prompt", ASK_ALIASES, row)


def training_ask(row: JsonObject) -> tuple[str | None, Repairs]:
    """The ask of a training row; ``prompt_text`` is what the format ``trl`` calls it."""
    ask, _ = _text_under("prompt", ("prompt_text",), row)
    return ask, NO_REPAIRS


def final_of(row: JsonObject) -> tuple[str | None, Repairs]:
    """What a row says the assistant answered in the end, where it says so."""
    text = row.get("final_text")
    if type(text) is str and text:
        return text, NO_REPAIRS
    return _text_under("final_text", FINAL_ALIASES, row)


def value_under(
    name: str, aliases: tuple[str, ...], source: JsonObject
) -> tuple[object, str | None]:
    """The value under a name that is there, and the alias it was found under, if any."""
    if name in source and source[name] is not None:
        return source[name], None
    return next(((source[a], a) for a in aliases if source.get(a) is not None), (None, None))


def read_under(name: str, aliases: tuple[str, ...], source: JsonObject) -> tuple[object, Repairs]:
    """The value under a name, else under the first alias that has one, which is counted."""
    value, alias = value_under(name, aliases, source)
    return value, ALIAS_READ if alias else NO_REPAIRS


def _text_under(name: str, aliases: tuple[str, ...], row: JsonObject) -> tuple[str | None, Repairs]:
    text = row.get(name)
    if type(text) is str:
        return text or None, NO_REPAIRS
    if text is not None:
        raise BadRow(f"expected text, got {kind_of(text)}", f"$.{name}")
    for alias in aliases:
        text = row.get(alias)
        if type(text) is str and text:
            return text, ALIAS_READ
    return None, NO_REPAIRS
