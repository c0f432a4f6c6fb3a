from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from whileai_export.pipeline import tokens
from whileai_export.shared.errors import OptionError
from whileai_export.shared.schema import Message

MESSAGES: list[Message] = [
    {"role": "user", "content": "Where is it"},
    {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"id": "1", "name": "track", "arguments": {"order": "A7"}}],
    },
]


class Words:
    """A tokenizer that counts words."""

    def encode(self, text: str, add_special_tokens: bool) -> list[str]:
        return text.split()

    def encode_batch(self, texts: list[str], add_special_tokens: bool) -> list[list[str]]:
        return [text.split() for text in texts]


def test_texts_calls_schemas_and_the_template_are_counted(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tokens, "loaded", lambda _: Words())
    around = 2 * tokens.AROUND_A_MESSAGE + tokens.AROUND_A_CALL
    bare = tokens.conversation_tokens("a", MESSAGES, ['{"order": "A7"}'], None)
    assert bare == 3 + 1 + 2 + around
    tools = [{"description": "one two"}]
    told = tokens.conversation_tokens("a", MESSAGES, ['{"order": "A7"}'], tools)
    assert told == bare + 2 + tokens.AROUND_TOOLS


def test_reasoning_is_counted_where_it_is_kept(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tokens, "loaded", lambda _: Words())
    message: Message = {"role": "assistant", "content": "yes", "reasoning_content": "so it is"}
    assert tokens.conversation_tokens("a", [message], [], None) == 4 + tokens.AROUND_A_MESSAGE


def test_a_file_that_is_no_tokenizer_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    def refuse(path: str) -> None:
        raise Exception(path)

    fake = SimpleNamespace(Tokenizer=SimpleNamespace(from_file=refuse))
    monkeypatch.setattr(tokens, "import_module", lambda _: fake)
    with pytest.raises(OptionError, match="expected a tokenizer file"):
        tokens.loaded(str(tmp_path / "a.json"))


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(tokens, "import_module", missing)
    with pytest.raises(OptionError, match=r"whileai-export\[tokens\]"):
        tokens.loaded("b.json")
