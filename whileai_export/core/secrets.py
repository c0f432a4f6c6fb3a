"""Keys and tokens that must not stand in a training file, known by their public shapes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from whileai_export.core.round_trip import round_trip
from whileai_export.shared.findings import Finding
from whileai_export.shared.schema import Message

_RUN = 20
_IN_TOKENS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.+/="
_TOKENS = bytes(ord("x") if byte in _IN_TOKENS else ord(" ") for byte in range(256))
_LONG_TOKEN = b"x" * _RUN
_PEM = "PRIVATE KEY"

#: What it is, a text that each one of the kind holds, and the shape. Each holds a long token.
_KINDS = tuple(
    (kind, mark, re.compile(rf"(?<![A-Za-z0-9_-]){shape}(?![A-Za-z0-9])"))
    for kind, mark, shape in (
        (
            "an API key (sk-)",
            "sk-",
            r"sk-(?:(?:[A-Za-z0-9]+-){0,3}[A-Za-z0-9_]{20,}"
            r"|(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{40,})",
        ),
        ("a Stripe key", "k_live_", r"[rs]k_live_[A-Za-z0-9]{16,}"),
        ("a GitHub token", "gh", r"gh[oprsu]_[A-Za-z0-9]{30,}"),
        ("a GitHub token", "github_pat_", r"github_pat_[A-Za-z0-9_]{30,}"),
        ("a GitLab token", "glpat-", r"glpat-[A-Za-z0-9_-]{20,}"),
        ("an AWS access key", "AKIA", r"AKIA[A-Z0-9]{16}"),
        ("an AWS access key", "ASIA", r"ASIA[A-Z0-9]{16}"),
        ("a Slack token", "xox", r"xox[abeoprs]-[A-Za-z0-9-]{16,}"),
        ("a Google API key", "AIza", r"AIza[A-Za-z0-9_-]{35}"),
        ("a Google access token", "ya29.", r"ya29\.[A-Za-z0-9_-]{30,}"),
        ("a Hugging Face token", "hf_", r"hf_[A-Za-z0-9]{30,}"),
        ("an npm token", "npm_", r"npm_[A-Za-z0-9]{36}"),
        ("a PyPI token", "pypi-", r"pypi-[A-Za-z0-9_-]{50,}"),
        ("a SendGrid key", "SG.", r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
        ("a JSON web token", "eyJ", r"eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{16,}"),
        ("a bearer token", "earer ", r"[Bb]earer [A-Za-z0-9._~+/=-]{20,}"),
    )
)
_PRIVATE_KEY = re.compile(r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----")


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
    """The kinds of secret that one text holds."""
    if not _may_hold(text):
        return []
    kinds = {kind: None for kind, mark, shape in _KINDS if mark in text and shape.search(text)}
    if _PEM in text and _PRIVATE_KEY.search(text):
        kinds["a private key"] = None
    return [Finding("secrets", at, f"expected no secret, got {kind}") for kind in kinds]


def _may_hold(text: str) -> bool:
    """Every token is long, and every private key says so: two looks that cost little."""
    tokens = text.encode("utf-8", "surrogatepass").translate(_TOKENS)
    return _LONG_TOKEN in tokens or _PEM in text


def _places(messages: list[Message], arguments: Iterator[str]) -> Iterator[tuple[str, str]]:
    for turn, message in enumerate(messages):
        at = f"$.messages[{turn}]"
        yield f"{at}.content", message["content"]
        if "reasoning_content" in message:
            yield f"{at}.reasoning_content", message["reasoning_content"]
        for n, _ in enumerate(message.get("tool_calls", ())):
            yield f"{at}.tool_calls[{n}].arguments", next(arguments)
