from __future__ import annotations

import pytest

from whileai_export.cli.terminal import as_json, columns, say


def test_cells_stand_under_each_other():
    assert columns([("a", "one"), ("bcd", "two")]) == ["  a    one", "  bcd  two"]


def test_a_table_without_rows_has_no_lines():
    assert columns([]) == []


def test_colour_stays_out_of_a_pipe(capsys: pytest.CaptureFixture[str]):
    say("refused", "bad")
    assert capsys.readouterr().out == "refused\n"


def test_json_keeps_the_characters_as_they_are(capsys: pytest.CaptureFixture[str]):
    as_json({"name": "Zoë"})
    assert capsys.readouterr().out == '{\n  "name": "Zoë"\n}\n'


def test_json_is_strict():
    with pytest.raises(ValueError, match="JSON compliant"):
        as_json({"share": float("nan")})
