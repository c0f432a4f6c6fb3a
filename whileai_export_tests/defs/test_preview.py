from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from whileai_export.defs.preview import preview


def shown(tmp_path: Path, *rows: dict[str, Any]) -> str:
    path = tmp_path / "sft.openai.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    found = preview([{"path": str(path)}])
    assert found is not None
    return found.value


def said(role: str, content: str, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **more}


def test_a_conversation_is_shown_turn_by_turn(tmp_path: Path):
    call = {"function": {"name": "look", "arguments": '{"key": 1}'}}
    text = shown(
        tmp_path,
        {
            "messages": [
                said("user", "Look."),
                said("assistant", "", tool_calls=[call]),
                said("assistant", "Done."),
            ],
            "reward": 1.0,
        },
    )
    assert text == (
        "First rows of `sft.openai.jsonl`\n\n---\nreward `1.0`\n\n**messages**\n\n"
        '> **user** `Look.`\n\n> **assistant** `look({"key": 1})`\n\n> **assistant** `Done.`'
    )


def test_only_three_rows_are_shown(tmp_path: Path):
    text = shown(tmp_path, *({"reward": n} for n in range(9)))
    assert text.count("---") == 3


def test_text_cannot_become_markdown_or_grow_long(tmp_path: Path):
    text = shown(tmp_path, {"messages": [said("user", "```\n# " + "x" * 999)]})
    assert "\n#" not in text
    assert len(text) < 400


def test_the_rest_of_a_long_conversation_is_counted(tmp_path: Path):
    assert "*3 more turns*" in shown(tmp_path, {"messages": [said("user", "a")] * 15})


def test_both_sides_of_a_pair_are_shown(tmp_path: Path):
    text = shown(tmp_path, {"chosen": [said("user", "a")], "rejected": [said("user", "b")]})
    assert "**chosen**" in text
    assert "**rejected**" in text


def test_no_file_has_no_preview():
    assert preview([]) is None
