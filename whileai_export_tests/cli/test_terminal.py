from __future__ import annotations

import pytest

from whileai_export.cli.terminal import as_json, columns, say, visible, wrapped


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


def test_codes_are_written_out_and_colour_is_not(capsys: pytest.CaptureFixture[str]):
    say("a\x1b[2J\x9b\x07\x7f\u202eb\udc80", "bad")
    assert capsys.readouterr().out == "a\\x1b[2J\\x9b\\x07\\x7f\\u202eb\\udc80\n"
    text = "Zo\u00eb, \u65e5\u672c: one\nline\tmore"
    assert visible(text) == text


def test_a_cell_is_one_line():
    assert columns([("a\nb", "c\td")]) == ["  a\\nb  c\\td"]


def test_json_escapes_the_codes_and_keeps_them(capsys: pytest.CaptureFixture[str]):
    as_json({"name": "a\x1b\x9b\x7f\u202e"})
    text = capsys.readouterr().out
    assert text == '{\n  "name": "a\\u001b\\u009b\\u007f\\u202e"\n}\n'


def test_a_long_fact_has_its_name_beside_the_first_line():
    assert list(wrapped("options", "a=1, b=2, c=3", 9)) == [("options", "a=1, b=2,"), ("", "c=3")]
    assert list(wrapped("options", "")) == [("options", "")]
