"""Keys and tokens that must not stand in a training file, known by their public shapes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from whileai_export.core.round_trip import round_trip
from whileai_export.shared.findings import Finding
from whileai_export.shared.schema import Message

_SHAPES = {
    "an API key (sk-)": r"sk-(?:(?:[A-Za-z0-9]+-){0,3}[A-Za-z0-9_]{20,}"
    r"|(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{40,})",
    "a Stripe key": r"[rs]k_live_[A-Za-z0-9]{16,}",
    "a GitHub token": r"(?:gh[oprsu]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})",
    "a GitLab token": r"glpat-[A-Za-z0-9_-]{20,}",
    "an AWS access key": r"A[KS]IA[A-Z0-9]{16}",
    "a Slack token": r"xox[abeoprs]-[A-Za-z0-9-]{16,}",
    "a Google API key": r"AIza[A-Za-z0-9_-]{35}",
    "a Google access token": r"ya29\.[A-Za-z0-9_-]{30,}",
    "a Hugging Face token": r"hf_[A-Za-z0-9]{30,}",
    "an npm token": r"npm_[A-Za-z0-9]{36}",
    "a PyPI token": r"pypi-[A-Za-z0-9_-]{50,}",
    "a SendGrid key": r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
    "a JSON web token": r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}",
    "a bearer token": r"[Bb]earer [A-Za-z0-9._~+/=-]{20,}",
}
_KINDS = {
    kind: re.compile(rf"(?<![A-Za-z0-9_-]){shape}(?![A-Za-z0-9])")
    for kind, shape in _SHAPES.items()
}
_KINDS["a private key"] = re.compile(r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----")

# Each shape but the last holds one of these within, or before, 20 characters of a token.
_MARK = re.compile(
    rb"sk-|k_live_|gh[oprsu]_|github_pat_|glpat-|A[KS]IA|xox|AIza|ya29\.|hf_|npm_|pypi-|SG\.|eyJ"
    rb"|[Bb]earer "
)
_IN_TOKENS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.~+/="
_TOKENS = bytes(ord("x") if byte in _IN_TOKENS else ord(" ") for byte in range(256))
_LONG_TOKEN = b"x" * 20
_BEARER = len("Bearer ")


def secrets(messages: list[Message], encoded: Sequence[str] | None = None) -> list[Finding]:
    """One finding a place and kind, without the text.

    ``encoded``, if at hand, is the JSON text of every call's arguments, and only saves time.
    """
    arguments = round_trip(messages)[1] if encoded is None else encoded
    texts = [message["content"] for message in messages]
    texts += [m["reasoning_content"] for m in messages if "reasoning_content" in m]
    texts += arguments
    if not _may_hold("\n".join(texts)):
        return []
    places = _places(messages, iter(arguments))
    return [finding for at, text in places for finding in secrets_in(text, at)]


def secrets_in(text: str, at: str) -> list[Finding]:
    """One finding a kind of secret that a text holds."""
    if not _may_hold(text):
        return []
    kinds = [kind for kind, shape in _KINDS.items() if shape.search(text)]
    return [Finding("secrets", at, f"expected no secret, got {kind}") for kind in kinds]


def _may_hold(text: str) -> bool:
    """A look that costs little: secrets are long tokens with a mark, or say what they are."""
    if "PRIVATE KEY" in text:
        return True
    raw = text.encode("utf-8", "surrogatepass")
    tokens = raw.translate(_TOKENS)
    start = tokens.find(_LONG_TOKEN)
    while start >= 0:
        end = tokens.find(b" ", start)
        end = len(raw) if end < 0 else end
        if _MARK.search(raw, max(0, start - _BEARER), end):
            return True
        start = tokens.find(_LONG_TOKEN, end)
    return False


def _places(messages: list[Message], arguments: Iterator[str]) -> Iterator[tuple[str, str]]:
    for turn, message in enumerate(messages):
        at = f"$.messages[{turn}]"
        yield f"{at}.content", message["content"]
        if "reasoning_content" in message:
            yield f"{at}.reasoning_content", message["reasoning_content"]
        for n, _ in enumerate(message.get("tool_calls", ())):
            yield f"{at}.tool_calls[{n}].arguments", next(arguments)
