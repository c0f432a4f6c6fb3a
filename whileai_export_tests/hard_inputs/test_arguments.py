from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from whileai_export import SourceError, export_dataset
from whileai_export_tests.hard_inputs.doors import (
    GOOD,
    call,
    exported,
    kept_out,
    kept_out_of_pairs,
    paired,
    read,
    result,
    row,
    says,
)
from whileai_export_tests.hard_inputs.rows import shows

AT = "$.messages[1].tool_calls[0].arguments"
OBJECT = {"x": 1, "y": [None, {"z": "é"}]}
TEXT = json.dumps(OBJECT)


def asking(arguments: Any) -> dict[str, Any]:
    return row(says("", call(arguments)), result("found"), says("Here."))


def arguments_of(folder: Any, arguments: Any, **options: Any) -> tuple[Any, dict[str, int]]:
    rows, report = exported(folder, asking(arguments), **options)
    return rows[0]["messages"][1]["tool_calls"][0]["function"]["arguments"], report["repairs"]


@shows("args-object")
@pytest.mark.parametrize(
    ("arguments", "repairs"),
    [
        (OBJECT, {}),
        (TEXT, {}),
        (json.dumps(TEXT), {"nested_arguments": 1}),
        (json.dumps(json.dumps(TEXT)), {"nested_arguments": 1}),
    ],
    ids=["object", "text", "twice", "three_times"],
)
def test_an_object_is_the_object_however_often_it_was_encoded(tmp_path, arguments, repairs):
    assert arguments_of(tmp_path, arguments, format="trl") == (OBJECT, repairs)
    wire, counted = arguments_of(tmp_path, arguments)
    assert (wire, counted) == ('{"x":1,"y":[null,{"z":"é"}]}', repairs)


@shows("args-none")
@pytest.mark.parametrize("arguments", [None, "", "null"])
def test_no_arguments_are_an_empty_object(tmp_path, arguments):
    assert arguments_of(tmp_path, arguments) == ("{}", {})


@shows("args-none")
def test_absent_arguments_are_an_empty_object(tmp_path):
    bare = {"id": "a", "function": {"name": "look"}}
    rows, _ = exported(tmp_path, row(says("", bare), result("found")))
    assert rows[0]["messages"][1]["tool_calls"][0]["function"]["arguments"] == "{}"


@shows("args-alias")
@pytest.mark.parametrize("name", ["args", "input", "parameters"])
def test_another_name_for_the_arguments_is_read_and_counted(tmp_path, name):
    flat = {"id": "a", "name": "look", name: {"x": 1}}
    rows, report = exported(tmp_path, row(says("", flat), result("found")))
    assert rows[0]["messages"][1]["tool_calls"][0]["function"]["arguments"] == '{"x":1}'
    assert report["repairs"] == {"aliases_read": 1}


@shows("args-inner-text")
@pytest.mark.parametrize("inner", ['{"x": 1}', "[1]", "null", "0", '"a"'])
def test_json_text_inside_an_argument_stays_text(tmp_path, inner):
    assert arguments_of(tmp_path, json.dumps({"q": inner}), format="trl") == ({"q": inner}, {})


DEEP = '{"a":' * 201 + "1" + "}" * 201
NOT_JSON = "expected JSON, got other text at character"
BAD = {
    "list": ([1], "expected an object, got a list", "args-other-kind"),
    "empty_list": ([], "expected an object, got a list", "args-other-kind"),
    "number": (7, "expected an object, got a number", "args-other-kind"),
    "boolean": (False, "expected an object, got true or false", "args-other-kind"),
    "words": ("hello", f"{NOT_JSON} 0", "args-other-kind"),
    "list_as_text": ("[1]", "expected an object, got a list", "args-other-kind"),
    "number_as_text": ("0", "expected an object, got a number", "args-other-kind"),
    "nan": ({"x": float("nan")}, "expected JSON, got NaN", "args-nan"),
    "nan_as_text": ('{"x": NaN}', "expected JSON, got NaN", "args-nan"),
    "infinity": ({"x": float("inf")}, "expected JSON, got Infinity", "args-nan"),
    "huge_float": ('{"x": 1e999}', "expected JSON, got Infinity", "args-nan"),
    "doubled": (
        '{"x": 1, "x": 2}',
        "expected one value for each key, got two",
        "args-doubled-key",
    ),
    "doubled_below": (
        '{"a": [{"x": 1, "x": 1}]}',
        "expected one value for each key, got two",
        "args-doubled-key",
    ),
    "long": ({"x": 2**64}, "expected integers of 64 bit, got a longer one", "args-extreme"),
    "long_as_text": (
        f'{{"x": {10**30}}}',
        "expected integers of 64 bit, got a longer one",
        "args-extreme",
    ),
    "five_thousand_digits": (
        f'{{"x": {"1" * 5000}}}',
        "expected integers of 64 bit, got a longer one",
        "args-extreme",
    ),
    "deep": (DEEP, "expected at most 200 levels, got more", "args-extreme"),
    "deep_object": (json.loads(DEEP), "expected at most 200 levels, got more", "args-extreme"),
    "very_deep": ("[" * 99999, "expected at most 200 levels, got more", "args-extreme"),
    "python": ("{'x': 1}", f"{NOT_JSON} 1", "args-broken"),
    "comma": ('{"x": 1,}', f"{NOT_JSON} 8", "args-broken"),
    "truncated": ('{"x": "a', f"{NOT_JSON} 6", "args-broken"),
    "fenced": ('```json\n{"x": 1}\n```', f"{NOT_JSON} 0", "args-broken"),
}


@shows("args-other-kind", "args-nan", "args-doubled-key", "args-extreme", "args-broken")
@pytest.mark.parametrize(("arguments", "problem", "_"), BAD.values(), ids=BAD)
def test_arguments_that_are_no_object_keep_the_row_out(tmp_path, arguments, problem, _):
    bad = asking(arguments)
    kept_out(tmp_path, bad, "tool_call_roundtrip", AT, problem)
    kept_out_of_pairs(tmp_path, bad, "tool_call_roundtrip", AT, problem)


@shows("args-other-kind", "args-broken")
@pytest.mark.parametrize("arguments", ["hello", "{'x': 1}", '{"x": 1,}'])
def test_without_validation_they_are_written_as_they_came(tmp_path, arguments):
    assert arguments_of(tmp_path, arguments, validate=False) == (arguments, {})
    rows, report = exported(tmp_path, GOOD, asking(arguments), validate=False, format="trl")
    assert len(rows) == 1
    assert report["counts"]["filtered"] == {"arguments_not_an_object": 1}


@shows("args-python")
@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (datetime(2024, 1, 2, tzinfo=UTC), "datetime"),
        ({1, 2}, "set"),
        (object(), "object"),
        (b"x", "bytes"),
    ],
)
def test_a_python_object_in_memory_keeps_the_row_out(tmp_path, value, kind):
    output, kept, rows = tmp_path / "o.jsonl", tmp_path / "k.jsonl", [GOOD, asking({"when": value})]
    problem = f"expected JSON, got a Python {kind}"
    at = f"{AT.replace('.arguments', '.function.arguments')}.when"
    with pytest.raises(SourceError) as refused:
        export_dataset(rows, output)
    left_out = 'To leave these rows out: on_bad_row="quarantine", max_quarantined=0.5'
    assert str(refused.value) == f"row 1: {problem} - at `{at}`. {left_out}"
    on = {"on_bad_row": "quarantine", "max_quarantined": 0.5, "quarantine": kept}
    assert export_dataset(rows, output, **on)["n_written"] == 1
    [record] = read(kept)
    said = (record["row"], record["line"], record["at"], record["problem"])
    assert said == (1, None, at, problem)


@shows("args-characters")
def test_every_script_comes_back_and_half_characters_are_replaced(tmp_path):
    text = "naïve – 数学 \U0001f511 \u2028 \u0000"
    assert arguments_of(tmp_path, {"q": text}, format="trl") == ({"q": text}, {})
    half = '{"q": "a\\ud800b"}'
    found = arguments_of(tmp_path, half, format="trl")
    assert found == ({"q": "a\ufffdb"}, {"surrogates_replaced": 1})


MALFORMED = {
    "no_name": ([call({}, name=None)], "[0].name", "expected the name of a tool, got null"),
    "empty_name": ([call({}, name="")], "[0].name", "expected the name of a tool, got empty text"),
    "text": (["look()"], "[0]", "expected a call, got text"),
    "object": ({"name": "look"}, "", "expected a list of calls, got an object"),
}


@shows("args-malformed")
@pytest.mark.parametrize(("calls", "place", "problem"), MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_call_keeps_the_row_out(tmp_path, calls, place, problem):
    bad = row({**says("x"), "tool_calls": calls})
    at = f"$.messages[1].tool_calls{place}"
    kept_out(tmp_path, bad, "readable", at, problem)
    kept_out_of_pairs(tmp_path, bad, "readable", at, problem)


@shows("args-broken")
def test_pairs_name_every_bad_call(tmp_path):
    report = paired(tmp_path, GOOD, asking("{'x': 1}"), asking("[1]"), GOOD, max_pairs_per_task=1)
    assert report["counts"]["quarantined"] == 2
    assert report["tool_call_roundtrip"]["rows"] == [1, 2]
