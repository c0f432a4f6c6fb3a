"""The contract's own list of hard inputs, where it lies beside the project."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

CONTRACT = Path(__file__).parents[3] / "shared" / "HARD_INPUTS.md"

_MARKS = re.compile(r"[*`]")


def digests() -> list[str]:
    """8 hex digits for each row of each table, each point of a list, each sentence of a text."""
    found: list[str] = []
    for section in CONTRACT.read_text("utf-8").split("\n## ")[1:]:
        lines = section.strip().split("\n")[1:]
        text = " ".join(line.strip() for line in lines if line.strip())
        if "|" in lines[0] or any(line.startswith("|---") for line in lines):
            found += [_digest(line) for line in _rows(lines)]
        elif text.startswith("* "):
            found += [_digest(point) for point in text.removeprefix("* ").split(" * ")]
        else:
            found += [_digest(sentence) for sentence in re.split(r"(?<=[.]) ", text)]
    return found


def _rows(lines: list[str]) -> list[str]:
    table = [line for line in lines if line.startswith("|")]
    return table[2:]


def _digest(text: str) -> str:
    plain = " ".join(_MARKS.sub("", text).split())
    return hashlib.sha256(plain.encode()).hexdigest()[:8]
