import json
from typing import Any

import pytest

from whileai_export.core.content import output_text, part_text, result_text, text_of
from whileai_export.shared.errors import BadRow


def nested(levels: int) -> Any:
    value: Any = []
    for _ in range(levels - 1):
        value = [value]
    return value


def part(text: str, kind: str = "text") -> dict[str, str]:
    return {"type": kind, "text": text}


def test_text_is_itself():
    assert text_of("a\n b ", ".content") == ("a\n b ", {})


def test_null_is_empty_text_and_counted():
    assert text_of(None, ".content") == ("", {"null_content": 1})


def test_text_parts_are_joined_and_counted():
    parts = [part("a "), part("b", "input_text"), part("c", "output_text"), {"text": "d"}]
    assert text_of(parts, ".content") == ("a bcd", {"content_parts_joined": 1})


@pytest.mark.parametrize(
    ("content", "problem", "at"),
    [
        ({"a": 1}, "expected text or text parts, got an object", ".content"),
        (7, "expected text or text parts, got a number", ".content"),
        (
            [part("a"), {"type": "image_url", "image_url": {}}],
            "expected a text part, got one of kind 'image_url'",
            ".content[1]",
        ),
        ([{"type": ["x"]}], "expected a text part, got one whose type is a list", ".content[0]"),
        ([{"type": "a/b"}], "expected a text part, got one of kind 'a/b'", ".content[0]"),
        ([{"type": "a b"}], "expected a text part, got one of another kind", ".content[0]"),
        (["a"], "expected a text part, got text", ".content[0]"),
        ([{"type": "text"}], "expected text in a text part, got null", ".content[0].text"),
    ],
)
def test_other_content_is_refused_by_kind(content: object, problem: str, at: str):
    with pytest.raises(BadRow) as refused:
        text_of(content, ".content")
    assert (refused.value.problem, refused.value.at) == (problem, at)


def test_a_part_is_its_text():
    assert part_text(part("a"), "[0]") == "a"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ({"status": "ok", "n": 1.5}, '{"status": "ok", "n": 1.5}'),
        ([1, "a", None], '[1, "a", null]'),
        ([{"type": "flight", "text": 7}], '[{"type": "flight", "text": 7}]'),
        ([], "[]"),
        (True, "true"),
    ],
)
def test_the_output_of_a_tool_becomes_its_json_text(content: object, text: str):
    assert output_text(content, ".content") == (text, {"results_as_json": 1})


def test_output_in_text_parts_is_joined():
    assert output_text([part("a"), part("b")], ".content") == ("ab", {"content_parts_joined": 1})


def test_output_that_is_text_or_null_is_text():
    assert output_text("seen", ".content") == ("seen", {})
    assert output_text(None, ".content") == ("", {"null_content": 1})


def test_output_with_an_image_is_refused_by_kind():
    with pytest.raises(BadRow, match="expected a text part, got one of kind 'image'"):
        output_text([part("a"), {"type": "image", "source": {}}], ".content")


@pytest.mark.parametrize(
    "result", [{"a": [1, {"b": None}], "ß": "é"}, [], 7, None, True, 0.1, 1e16, 2**70, "text"]
)
def test_a_result_is_what_json_dumps_says(result: object):
    expected = result if isinstance(result, str) else json.dumps(result)
    assert result_text(result, ".result") == (expected, {})


def test_what_is_no_number_becomes_null_in_a_result():
    assert result_text({"a": [float("nan"), 2**70], "b": float("inf")}, ".result") == (
        '{"a": [null, 1180591620717411303424], "b": null}',
        {"nan_nulled": 2},
    )


def test_a_result_of_two_hundred_levels_is_text():
    assert result_text(nested(200), ".result") == ("[" * 200 + "]" * 200, {})


def test_a_wide_result_is_not_deep():
    assert result_text([[]] * 500, ".result") == (json.dumps([[]] * 500), {})


@pytest.mark.parametrize("levels", [201, 5000])
def test_a_deeper_result_is_refused(levels: int):
    with pytest.raises(BadRow) as refused:
        result_text(nested(levels), ".result")
    assert refused.value.problem == "expected at most 200 levels, got more"


def test_a_result_with_an_integer_that_python_does_not_print_is_refused():
    with pytest.raises(BadRow, match="expected integers of 64 bit, got a longer one"):
        result_text({"n": 10**5000}, ".result")


def test_a_python_object_is_refused():
    with pytest.raises(BadRow, match="expected JSON, got a Python set"):
        result_text({1}, ".result")
