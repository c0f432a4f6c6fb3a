"""Sources opened: what is in them, what is known of their rows, and what a bad one is told."""

from __future__ import annotations

import pytest

from whileai_export.io.lines import lines
from whileai_export.io.source import opened
from whileai_export.shared.errors import SourceError
from whileai_export.shared.schema import Surroundings

TEXT = b'{"prompt": "a"}\n{"prompt": "b"}\n'
TOOLS = [{"type": "function", "function": {"name": "look"}}]
NOTHING = Surroundings()
EXPECTED = "a path to .jsonl, .jsonl.gz or .jsonl.zst, a simulation folder, a URL, or rows"


def refusal(source: object) -> str:
    """What is said of a source that is none."""
    with pytest.raises(SourceError) as caught, opened(source):
        pass
    return str(caught.value)


def on_disk(source: object) -> tuple[list[bytes], Surroundings]:
    """The lines of a source that is a file."""
    with opened(source) as found:
        assert found.rows is None
        assert found.path is not None
        return [line for _, line in lines(found.path)], found.around


def in_memory(source: object) -> tuple[list[object], Surroundings]:
    """The rows of a source that is none."""
    with opened(source) as found:
        assert found.path is None
        assert found.rows is not None
        return list(found.rows), found.around
