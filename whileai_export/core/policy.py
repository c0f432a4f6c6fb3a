"""Is the system prompt the one that the simulation recorded?"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256

from whileai_export.core.prompt_sha import recorded_sha
from whileai_export.shared.findings import Finding
from whileai_export.shared.schema import Message


def policy(messages: list[Message], lineage: object) -> list[Finding] | None:
    """A finding where the prompt's sha256 is another than recorded; None: nothing to compare."""
    expected = recorded_sha(lineage)
    if expected is None or not messages or messages[0]["role"] != "system":
        return None
    found = _sha(messages[0]["content"])
    if found.startswith(expected):
        return []
    if any(_sha(other).startswith(expected) for other in _with_other_end(messages[0]["content"])):
        problem = "expected the system prompt that was played, got it with another line end at last"
        return [Finding("policy", "$.messages[0].content", problem)]
    problem = f"expected a system prompt of sha256 {expected[:16]}, got one of {found[:16]}"
    return [Finding("policy", "$.messages[0].content", problem)]


def _with_other_end(prompt: str) -> tuple[str, ...]:
    """As an editor, or a file that was read without its last line end, would have it."""
    bare = prompt.rstrip("\r\n")
    return bare, f"{bare}\n", f"{bare}\r\n"


@lru_cache(maxsize=16)
def _sha(prompt: str) -> str:
    return sha256(prompt.encode("utf-8", "surrogatepass")).hexdigest()
