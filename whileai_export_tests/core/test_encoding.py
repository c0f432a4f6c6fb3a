from __future__ import annotations

import pytest

from whileai_export.core.encoding import encode_arguments, problem_on_wire
from whileai_export.shared.schema import BadArguments


@pytest.mark.parametrize("format", ["openai", "fireworks"])
def test_some_formats_write_arguments_as_json_text(format):
    assert encode_arguments({"ref": "HX", "n": [1, None]}, format) == '{"ref":"HX","n":[1,null]}'


@pytest.mark.parametrize("format", ["trl", "trl-completion", "kto"])
def test_the_others_write_the_object(format):
    assert encode_arguments({"ref": "HX"}, format) == {"ref": "HX"}


def test_what_is_no_object_stays_the_text_that_came():
    assert encode_arguments(BadArguments("not json", "no JSON"), "openai") == "not json"


@pytest.mark.parametrize(
    ("arguments", "objects", "problem"),
    [
        ('{"a":1}', False, None),
        ({"a": 1}, True, None),
        ('{"a":1}', True, "expected an object, got str"),
        (None, True, "expected an object, got null"),
        ([1], True, "expected an object, got list"),
        (None, False, "expected JSON text of an object, got null"),
        ("not json", False, "expected JSON text of an object, got text that is no JSON"),
        ("[1]", False, "expected an object, got list"),
        ('"{\\"a\\":1}"', False, "expected an object, got str"),
    ],
)
def test_exported_arguments_are_what_the_consumers_read(arguments, objects, problem):
    assert problem_on_wire(arguments, objects=objects) == problem
