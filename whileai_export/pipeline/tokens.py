"""How many tokens a conversation has, by a tokenizer file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from typing import Any

from whileai_export.io.encode import dumps
from whileai_export.shared.errors import OptionError
from whileai_export.shared.schema import JsonObject, Message

#: What chat templates write around a message, around a call in it, and to introduce tools.
AROUND_A_MESSAGE = 6
AROUND_A_CALL = 16
AROUND_TOOLS = 160


def conversation_tokens(
    tokenizer: str,
    messages: Sequence[Message],
    texts: Sequence[str],
    tools: list[JsonObject] | None,
) -> int:
    """Tokens of texts, arguments and schemas, and of what a template writes around them.

    ``texts`` is the JSON text of every call's arguments.
    """
    said = [m["content"] for m in messages]
    said += [m["reasoning_content"] for m in messages if "reasoning_content" in m]
    said += [call["name"] for m in messages for call in m.get("tool_calls", ())]
    said += texts
    known = loaded(tokenizer)
    encoded = known.encode_batch(said, add_special_tokens=False)
    told = sum(map(len, encoded)) + AROUND_A_MESSAGE * len(messages) + AROUND_A_CALL * len(texts)
    return told + AROUND_TOOLS + _schema_tokens(tokenizer, dumps(tools)) if tools else told


@lru_cache(maxsize=64)
def _schema_tokens(tokenizer: str, schemas: bytes) -> int:
    return len(loaded(tokenizer).encode(schemas.decode(), add_special_tokens=False))


@lru_cache(maxsize=4)
def loaded(tokenizer: str) -> Any:
    """The tokenizer in a file. ``OptionError`` for a file that holds none."""
    try:
        tokenizers = import_module("tokenizers")
    except ImportError as error:
        raise OptionError(
            "tokenizer: expected the package tokenizers, which is not installed; "
            "pip install 'whileai-export[tokens]'"
        ) from error
    try:
        return tokenizers.Tokenizer.from_file(tokenizer)
    except Exception as error:  # the package raises nothing more particular
        raise OptionError(f"tokenizer: expected a tokenizer file, got {tokenizer}") from error
