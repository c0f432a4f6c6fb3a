"""Does a reply quote the privileged block of its own row? What was told before is no leak."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from whileai_export.core.forms import has_other_letters, other_forms
from whileai_export.core.needles import Needle, Piece, needles
from whileai_export.core.said import Text, said, said_skeleton, told
from whileai_export.core.skeleton import skeleton
from whileai_export.shared.findings import Finding
from whileai_export.shared.schema import Message

_KEYS_APART = re.compile(r"[.\[\]]+")

__all__ = ["Needle", "leaks", "needles", "quotes"]


def leaks(
    messages: list[Message],
    final_text: str | None,
    needles: tuple[Needle, ...],
    encoded: Sequence[str] = (),
) -> tuple[list[Finding], int]:
    """One finding a leaked value, and how many quoted values the assistant was told before.

    ``messages`` come as they were recorded, reasoning included; ``encoded``, if at hand, is the
    JSON text of every call's arguments in order, and only saves time.
    """
    if not needles:
        return [], 0
    bones = said_skeleton(messages, final_text, encoded)
    likely = _likely(needles, bones)
    if not likely:
        return [], 0
    return _search(likely, needles, list(said(messages, final_text)), list(told(messages)))


def _likely(needles: Iterable[Needle], bones: bytes) -> list[Needle]:
    """The needles of which a text with this skeleton may quote a piece."""
    likely = []
    for needle in needles:
        for part in needle.bones:
            if part in bones:
                likely.append(needle)
                break
    return likely


def quotes(text: str, needles: tuple[Needle, ...]) -> bool:
    """Whether a text quotes a privileged value, or a sentence of one."""
    if not has_other_letters(text) and not _likely(needles, skeleton(text)):
        return False
    forms = [Text(form) for form in (text, *other_forms(text))]
    return any(_first(piece, forms) for needle in needles for piece in needle.pieces)


def repeats(text: str, messages: list[Message], needles: tuple[Needle, ...]) -> bool:
    """Whether a text beside the conversation quotes what no user said in it."""
    for message in messages:
        if message["content"] == text and message["role"] == "user":
            return False
    return quotes(text, needles)


def quoted_by_path(path: str, needles: tuple[Needle, ...]) -> bool:
    """Whether a key in a path is private. Numbers among keys are tokens of their own."""
    return quotes(path, needles) or quotes(_KEYS_APART.sub(" ", path), needles)


def _search(
    likely: list[Needle], needles: tuple[Needle, ...], texts: list[Text], context: list[Text]
) -> tuple[list[Finding], int]:
    findings = []
    disclosed = 0
    for needle in likely:
        quotations = [(piece, place) for piece in needle.pieces if (place := _first(piece, texts))]
        leaked = [
            (place.turn, n)
            for n, (piece, place) in enumerate(quotations)
            if not _was_told(needle, piece, [text for text in context if text.turn < place.turn])
        ]
        if leaked:
            piece, place = quotations[min(leaked)[1]]
            findings.append(_finding(needle.field, len(piece.text), place.at, needles))
        elif quotations:
            disclosed += 1
    return findings, disclosed


def _first(piece: Piece, texts: Iterable[Text]) -> Text | None:
    """The first text that quotes a piece."""
    for text in texts:
        if piece.bones in text.bones and piece.quoted_in(text.folded):
            return text
    return None


def _was_told(needle: Needle, piece: Piece, context: list[Text]) -> bool:
    """A value was told at once, or sentence by sentence."""
    if _first(piece, context):
        return True
    _, *sentences = needle.pieces
    parts = (*sentences, *needle.rest)
    return bool(sentences) and all(_first(part, context) for part in parts)


def _finding(field: str, length: int, at: str, needles: tuple[Needle, ...]) -> Finding:
    """Names field and place; where a key in them is itself private, only what stands before."""
    if quoted_by_path(field, needles):
        field = "privileged"
    if quoted_by_path(at, needles):
        at = at.partition(".arguments")[0] + ".arguments"
    problem = f"quotes {length} characters of privileged `{field}`"
    return Finding("privileged_leak", at, problem, field=field, length=length)
