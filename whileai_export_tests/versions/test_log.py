from __future__ import annotations

from pathlib import Path

from whileai_export.versions.log import Moves


def test_a_tag_names_what_it_was_given_last(tmp_path: Path) -> None:
    moves = Moves(tmp_path / "tags.jsonl")
    assert moves.current() == {}
    assert moves.add("prod", "v0001")["was"] is None
    assert moves.add("prod", "v0002")["was"] == "v0001"
    assert moves.current() == {"prod": "v0002"}
    assert [move["version"] for move in moves.history()] == ["v0001", "v0002"]
    assert moves.versions() == {"v0001", "v0002"}


def test_a_line_that_a_kill_tore_is_none(tmp_path: Path) -> None:
    moves = Moves(tmp_path / "tags.jsonl")
    moves.add("prod", "v0001")
    with moves.path.open("ab") as file:
        file.write(b'{"tag": "prod", "ver')
    moves.add("best", "v0002")
    assert moves.current() == {"prod": "v0001", "best": "v0002"}
