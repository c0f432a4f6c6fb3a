from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from whileai_export.pipeline.audit import audit
from whileai_export.pipeline.evaluation import load_holdout
from whileai_export.pipeline.preference import write_pairs
from whileai_export.pipeline.private_rows import PrivateRows
from whileai_export.pipeline.sft import stage_training_rows, write_sft
from whileai_export.shared.careful import CAREFUL_PAIRS, CAREFUL_SFT
from whileai_export.shared.errors import SourceError
from whileai_export.shared.options import PREFERENCE_FORMATS, Policy, SftOptions
from whileai_export.shared.schema import WireFormat
from whileai_export_tests.builders import chat_row, jsonl, steps_row

SECRET = {"note": "the amber door code is 4418"}
ROWS = [steps_row(privileged=SECRET), steps_row(reply="Lost.", reward=0, privileged=SECRET)]


@pytest.fixture
def staged(tmp_path) -> Path:
    target = tmp_path / "rows.jsonl"
    with stage_training_rows(jsonl(tmp_path / "s.jsonl", ROWS), target) as outcome:
        outcome.publish()
    return target


def published(staged: Path, format: WireFormat, *, pairs: bool = False) -> Path:
    target = staged.with_name("o.jsonl")
    write, options = (write_pairs, CAREFUL_PAIRS) if pairs else (write_sft, CAREFUL_SFT)
    with write(staged, {format: target}, options=replace(options, formats=(format,))) as outcome:
        outcome.publish()
    return target


def replies(path: Path, text: str) -> None:
    """Put a sentence in the assistant's mouth, behind the exporter's back."""
    path.write_text(path.read_text("utf-8").replace("At the depot.", text), "utf-8")


@pytest.mark.parametrize("format", ["openai", "trl", "trl-completion", "fireworks", "kto"])
def test_the_gates_pass_over_every_published_format(staged, format):
    seen = audit(published(staged, format), format, private=PrivateRows(staged))
    assert (seen["privileged_leaks"]["checked"], seen["privileged_leaks"]["n_leaked"]) == (True, 0)
    assert seen["tool_call_roundtrip"]["invalid"] == 0
    assert seen["tool_call_roundtrip"]["checked"] > 0


@pytest.mark.parametrize("format", ["openai", "trl", "trl-completion", "fireworks", "kto"])
def test_a_leak_that_was_put_in_later_is_found(staged, format):
    path = published(staged, format)
    replies(path, "It said the amber door code is 4418.")
    assert audit(path, format, private=PrivateRows(staged))["privileged_leaks"]["n_leaked"] == 1


@pytest.mark.parametrize("format", PREFERENCE_FORMATS)
def test_pairs_are_checked_on_both_sides(staged, format):
    path = published(staged, format, pairs=True)
    assert audit(path, format, private=PrivateRows(staged))["privileged_leaks"]["n_checked"] == 2
    replies(path, "It said the amber door code is 4418.")
    assert audit(path, format, private=PrivateRows(staged))["privileged_leaks"]["n_leaked"] == 1


@pytest.mark.parametrize("format", ["openai", "trl", "trl-completion", "fireworks", "kto"])
@pytest.mark.parametrize("unroll", [False, True])
def test_what_we_write_is_in_order_in_every_format(staged, format, unroll):
    if unroll and format == "kto":
        pytest.skip("kto labels whole rollouts")
    target = staged.with_name("o.jsonl")
    options = replace(CAREFUL_SFT, formats=(format,), unroll=unroll)
    with write_sft(staged, {format: target}, options=options) as outcome:
        outcome.publish()
    seen = audit(target, format, private=PrivateRows(staged))
    assert (seen["structure"]["checked"], seen["structure"]["count"]) == (True, 0)
    assert seen["privileged_leaks"]["n_checked"] == seen["rows"]


@pytest.mark.parametrize("format", PREFERENCE_FORMATS)
def test_pairs_are_in_order_on_both_sides(staged, format):
    seen = audit(published(staged, format, pairs=True), format, private=PrivateRows(staged))
    assert (seen["structure"]["n_checked"], seen["structure"]["count"]) == (2, 0)


@pytest.mark.parametrize("format", ["openai", "trl", "trl-completion", "fireworks", "kto"])
def test_a_result_that_answers_no_call_is_counted_and_named(staged, format):
    path = published(staged, format)
    text = path.read_text("utf-8").replace('"tool_call_id":"call_0000"', '"tool_call_id":"c9"')
    path.write_text(text, "utf-8")
    seen = audit(path, format, private=PrivateRows(staged))["structure"]
    assert seen["count"] == 1
    assert seen["named"][0]["at"].endswith(".tool_call_id")
    assert seen["named"][0]["line"] == (2 if format == "trl-completion" else 1)


def test_a_row_is_compared_with_its_own_block_alone(tmp_path):
    rows = [
        chat_row(reply="One.", privileged={"note": "the amber door is open"}),
        chat_row(reply="Two: the amber door is open.", privileged={"note": "something else said"}),
    ]
    staged = tmp_path / "rows.jsonl"
    with stage_training_rows(rows, staged) as outcome:
        outcome.publish()
    seen = audit(published(staged, "openai"), "openai", private=PrivateRows(staged))
    assert (seen["privileged_leaks"]["n_checked"], seen["privileged_leaks"]["n_leaked"]) == (2, 0)


def test_another_system_prompt_changes_nothing(staged):
    target = staged.with_name("o.jsonl")
    with write_sft(staged, {"openai": target}, options=SftOptions(policy=Policy(validate=False)),
                   system_prompt="Be brief.") as outcome:  # fmt: skip
        outcome.publish()
    assert (
        audit(target, "openai", private=PrivateRows(staged))["privileged_leaks"]["n_checked"] == 2
    )


def test_without_private_rows_nothing_is_said_of_leaks(staged):
    seen = audit(published(staged, "trl"), "trl")
    assert seen["privileged_leaks"]["checked"] is False


def test_arguments_in_the_wrong_encoding_are_found(staged):
    seen = audit(published(staged, "openai"), "trl")
    assert seen["tool_call_roundtrip"]["invalid"] == 1


@pytest.mark.parametrize(
    "line",
    ["{torn", "[1]", json.dumps({"messages": [7]}), '{"messages": [{}]}', '{"other": 1}'],
)
def test_a_line_that_is_no_exported_row_is_named(tmp_path, line):
    path = jsonl(tmp_path / "o.jsonl", [chat_row(), line])
    with pytest.raises(SourceError, match="line 2: expected an exported row"):
        audit(path, "openai")


@pytest.mark.parametrize("pairs", [False, True])
def test_gates_that_warn_are_run_where_they_are_asked_for(staged, pairs):
    path = published(staged, "trl", pairs=pairs)
    replies(path, "The key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789.")
    seen = audit(path, "trl", gates=("secrets", "tool_schema"))["warned"]
    assert seen["secrets"]["count"] >= 1
    assert "sk-ant" not in str(seen)
    assert seen["tool_schema"]["checked"] is False
    assert audit(path, "trl")["warned"] == {}


def held_out(path: Path, format: WireFormat, row: dict[str, str]) -> dict[str, Any]:
    """What the gate says of a file once a row stands in an evaluation file."""
    names = load_holdout([jsonl(path.with_name("evaluation.jsonl"), [row])])
    return audit(path, format, holdout=names)["holdout"]


@pytest.mark.parametrize(
    ("format", "lines"), [("openai", 1), ("trl", 1), ("trl-completion", 2), ("kto", 1)]
)
def test_a_published_task_that_is_held_out_is_found_by_its_name(tmp_path, format, lines):
    staged = tmp_path / "rows.jsonl"
    with stage_training_rows([steps_row(scenario_id="t1")], staged) as outcome:
        outcome.publish()
    seen = held_out(published(staged, format), format, {"task": "t1"})
    assert (seen["checked"], seen["n_checked"], seen["count"]) == (True, lines, lines)
    first = seen["named"][0]
    assert (first["gate"], first["at"], first["row"], first["line"]) == ("holdout", "$.task", 0, 1)


@pytest.mark.parametrize("format", ["openai", "trl", "trl-completion", "fireworks", "kto"])
def test_a_published_ask_that_is_held_out_is_found_whatever_the_format(staged, format):
    seen = held_out(published(staged, format), format, {"prompt": "where is PARCEL 7?"})
    assert seen["count"] == seen["n_checked"] > 0
    assert seen["named"][0]["at"] == "$.ask"


@pytest.mark.parametrize("format", PREFERENCE_FORMATS)
def test_a_held_out_pair_counts_once(staged, format):
    seen = held_out(published(staged, format, pairs=True), format, {"task": "Where is parcel 7?"})
    assert seen["summary"] == "holdout: 1 row checked, 1 row with findings"


@pytest.mark.parametrize("column", ["prompt_text", "prompt"])
def test_the_column_of_the_ask_is_compared_beside_the_first_user_turn(tmp_path, column):
    rows = [{**chat_row(), column: "Name the tote."}, chat_row()]
    seen = held_out(jsonl(tmp_path / "o.jsonl", rows), "openai", {"prompt": "name the tote"})
    assert (seen["n_checked"], seen["count"], seen["named"][0]["row"]) == (2, 1, 0)


def test_a_task_that_became_a_number_is_compared_too(tmp_path):
    path = jsonl(tmp_path / "o.jsonl", [{**chat_row(), "task": 7}, {**chat_row(), "task": None}])
    seen = held_out(path, "openai", {"task": "7"})
    assert (seen["n_checked"], seen["count"]) == (2, 1)


def test_without_evaluation_files_nothing_is_held_out(staged):
    seen = audit(published(staged, "trl"), "trl")["holdout"]
    assert (seen["checked"], seen["n_checked"], seen["count"]) == (False, 0, 0)
