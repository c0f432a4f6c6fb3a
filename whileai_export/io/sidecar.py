"""What stands beside the rows: the system prompt and the tools, in a file or on an object."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from whileai_export.io.plain import plain_object
from whileai_export.shared.errors import SourceError
from whileai_export.shared.schema import JsonObject, Surroundings

SUFFIXES = (".jsonl.gz", ".jsonl.zst", ".jsonl")
PROFILE = "profile.json"


@dataclass(frozen=True, slots=True)
class Facts:
    """What one place says for all rows."""

    place: str
    prompt: str | None = None
    prompts: Mapping[str, str] = field(default_factory=dict)
    tools: list[JsonObject] | None = None


def stem(path: Path) -> str:
    """The name of a file without ``.jsonl``, ``.jsonl.gz`` or ``.jsonl.zst``."""
    for suffix in SUFFIXES:
        if path.name.endswith(suffix):
            return path.name.removesuffix(suffix)
    return path.stem


def sidecar_of(path: Path) -> Path:
    """Where the sidecar of a file of rows stands."""
    return path.with_name(f"{stem(path)}.meta.json")


def surroundings_of_file(path: Path) -> Surroundings:
    """What the sidecar says, then what the profile beside the file says."""
    return first_of(
        _facts_in("sidecar", sidecar_of(path), "system_prompt"),
        _facts_in("profile", path.with_name(PROFILE), "policy"),
    )


def surroundings_of_object(source: object) -> Surroundings:
    """What an object in memory says about its rows, itself or in its profile."""
    profile = getattr(source, "profile", None)
    return first_of(
        _facts("source", _attributes(source), "system_prompt", type(source).__name__),
        _facts("source", _attributes(profile), "policy", f"{type(source).__name__}.profile"),
    )


def first_of(*facts: Facts) -> Surroundings:
    """From each place what no earlier one has."""
    nothing = Facts("")
    prompt = next((f for f in facts if f.prompt is not None), nothing)
    named = next((f for f in facts if f.prompts), nothing)
    tools = next((f for f in facts if f.tools is not None), nothing)
    return Surroundings(
        source_prompt=prompt.prompt,
        source_prompts=named.prompts,
        source_tools=tools.tools,
        prompt_from=prompt.place or named.place or None,
        tools_from=tools.place or None,
    )


def _facts_in(place: str, path: Path, prompt_key: str) -> Facts:
    try:
        text = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return Facts(place)
    except OSError as error:
        raise SourceError(f"{path}: cannot be read: {error.strerror}") from error
    try:
        content = orjson.loads(text.removeprefix(b"\xef\xbb\xbf"))
    except orjson.JSONDecodeError as error:
        raise SourceError(
            f"{path}: expected one JSON object, got text that is not JSON"
            f" (line {error.lineno}, column {error.colno})"
        ) from None
    if not isinstance(content, dict):
        raise SourceError(f"{path}: expected one JSON object, got {type(content).__name__}")
    return _facts(place, content, prompt_key, str(path))


def _facts(place: str, content: Mapping[str, Any], prompt_key: str, label: str) -> Facts:
    prompt = content.get(prompt_key)
    if prompt is not None and not isinstance(prompt, str):
        raise _unexpected(label, prompt_key, "text", prompt)
    return Facts(
        place, prompt or None, _prompts(content, label), _tools(content.get("tools"), label)
    )


def _prompts(content: Mapping[str, Any], label: str) -> Mapping[str, str]:
    prompts = content.get("system_prompts") or {}
    if not isinstance(prompts, Mapping) or not all(isinstance(v, str) for v in prompts.values()):
        raise _unexpected(label, "system_prompts", "an object of texts", prompts)
    return dict(prompts)


def _tools(tools: object, label: str) -> list[JsonObject] | None:
    if tools is None:
        return None
    if not isinstance(tools, Sequence) or isinstance(tools, str | bytes):
        raise _unexpected(label, "tools", "a list of tool schemas", tools)
    schemas: list[JsonObject] = []
    for tool in tools:
        schema = plain_object(tool)
        if not isinstance(schema, dict):
            raise _unexpected(label, "tools", "a list of tool schemas", schema)
        schemas.append(schema)
    return schemas or None


def _attributes(holder: object) -> Mapping[str, Any]:
    if isinstance(holder, Mapping):
        return holder
    names = ("system_prompt", "system_prompts", "policy", "tools")
    return {name: getattr(holder, name, None) for name in names}


def _unexpected(label: str, key: str, expected: str, got: object) -> SourceError:
    return SourceError(f"{label}: {key}: expected {expected}, got {type(got).__name__}")
