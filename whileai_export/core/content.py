"""The content of a turn as text: parts joined, tool results as the agent saw them."""

from __future__ import annotations

import json
from collections.abc import Callable
from json import encoder
from typing import Any

from whileai_export.core.repairs import added
from whileai_export.core.values import (
    LONG_INTEGER,
    MAX_DEPTH,
    TOO_DEEP,
    depth_of,
    kind_of,
    shown,
    without_nan,
)
from whileai_export.shared.errors import BadRow
from whileai_export.shared.schema import NO_REPAIRS, Repairs

_TEXT_PARTS = frozenset({"text", "input_text", "output_text"})

#: Parts that chat formats know and that no text can stand for.
_OTHER_PARTS = frozenset(
    """image image_url input_image audio input_audio output_audio video video_url input_video file
    input_file document search_result refusal container_upload""".split()
)
_JOINED: Repairs = {"content_parts_joined": 1}
_AS_JSON: Repairs = {"results_as_json": 1}
_NULL: Repairs = {"null_content": 1}
_SHORTEST_DEEP = 2 * MAX_DEPTH


def text_of(content: object, at: str) -> tuple[str, Repairs]:
    """The text of a turn that is not a tool's."""
    if type(content) is str:
        return content, NO_REPAIRS
    if content is None:
        return "", _NULL
    if type(content) is list:
        return "".join(part_text(part, f"{at}[{n}]") for n, part in enumerate(content)), _JOINED
    raise BadRow(f"expected text or text parts, got {kind_of(content)}", at)


def part_text(part: object, at: str) -> str:
    """The text of one part; a part of another kind is refused by name."""
    if type(part) is not dict:
        raise BadRow(f"expected a text part, got {kind_of(part)}", at)
    kind = part.get("type", "text")
    if type(kind) is not str or kind not in _TEXT_PARTS:
        raise BadRow(f"expected a text part, got {_named_kind(kind)}", at)
    text = part.get("text")
    if type(text) is not str:
        raise BadRow(f"expected text in a text part, got {kind_of(text)}", f"{at}.text")
    return text


def _named_kind(kind: object) -> str:
    if type(kind) is not str:
        return f"one whose type is {kind_of(kind)}"
    return f"one of kind {shown(kind)}" if shown(kind) != kind_of(kind) else "one of another kind"


def output_text(content: object, at: str) -> tuple[str, Repairs]:
    """The text of a tool message: an object or a list of values becomes its JSON text."""
    if content is None:
        return "", _NULL
    if type(content) is list and content and all(map(_is_part, content)):
        return text_of(content, at)
    text, repairs = result_text(content, at)
    return text, repairs if type(content) is str else added(_AS_JSON, repairs)


def result_text(result: object, at: str) -> tuple[str, Repairs]:
    """What the agent saw of a tool's result: text as it is, anything else as JSON text."""
    if type(result) is str:
        return result, NO_REPAIRS
    nulled = 0
    try:
        try:
            text = _encode(result)
        except ValueError:  # only for NaN and infinities
            result, nulled = without_nan(result)
            text = _encode(result)
    except RecursionError:
        raise BadRow(TOO_DEEP, at) from None
    except TypeError:
        raise BadRow(f"expected JSON, got {kind_of(result)}", at) from None
    except ValueError:  # more digits than Python writes
        raise BadRow(LONG_INTEGER, at) from None
    # Each level opens a bracket and closes it, so most texts need no walk.
    if len(text) > _SHORTEST_DEEP and _is_deep(text, result):
        raise BadRow(TOO_DEEP, at)
    return text, {"nan_nulled": nulled} if nulled else NO_REPAIRS


def _is_deep(text: str, result: object) -> bool:
    return text.count("{") + text.count("[") > MAX_DEPTH and depth_of(result) > MAX_DEPTH


def _is_part(value: object) -> bool:
    if type(value) is not dict:
        return False
    kind = value.get("type")
    if type(kind) is not str:
        return False
    return kind in _OTHER_PARTS or (kind in _TEXT_PARTS and type(value.get("text")) is str)


def _refuse(value: object) -> Any:
    raise TypeError


def _encoder() -> Callable[[object], str]:
    # ``json.dumps`` builds its C encoder anew at every call, which costs more than encoding.
    make = getattr(encoder, "c_make_encoder", None)
    if make is None:
        return json.JSONEncoder(allow_nan=False, check_circular=False).encode
    quoted = encoder.encode_basestring_ascii
    chunks = make(None, _refuse, quoted, None, ": ", ", ", False, False, False)
    return lambda value: "".join(chunks(value, 0))


_encode = _encoder()
