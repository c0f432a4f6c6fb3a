"""A system prompt by the sha256 that a row recorded of it: whole, or its beginning."""

from __future__ import annotations

from collections.abc import Mapping

_SHORTEST = 8


def recorded_sha(lineage: object) -> str | None:
    """The beginning of the prompt's sha256 that a row's lineage records, where it is one."""
    recorded = lineage.get("system_prompt_sha") if isinstance(lineage, Mapping) else None
    return _sha(recorded)


def prompt_of(lineage: object, prompts: Mapping[str, str]) -> str | None:
    """The prompt that a row's lineage names among prompts by their sha.

    A name that is no sha256 names its very key. Of a sha256 one may be the beginning of the other;
    a beginning that two prompts share names neither.
    """
    named = lineage.get("system_prompt_sha") if isinstance(lineage, Mapping) else None
    if not isinstance(named, str):
        return None
    if named in prompts:
        return prompts[named]
    sha = _sha(named)
    if sha is None:
        return None
    found = {text for key, text in prompts.items() if _alike(sha, _sha(key))}
    return found.pop() if len(found) == 1 else None


def _alike(one: str, other: str | None) -> bool:
    return other is not None and (one.startswith(other) or other.startswith(one))


def _sha(text: object) -> str | None:
    if not isinstance(text, str):
        return None
    text = text.strip().lower()
    is_hex = len(text) >= _SHORTEST and not text.strip("0123456789abcdef")
    return text if is_hex else None
