from __future__ import annotations

import json

from whileai_export.pipeline.report import (
    findings,
    leaks,
    refused,
    roundtrip,
    sft_report,
    source_counts,
    summary,
)
from whileai_export.shared.errors import SourceError
from whileai_export.shared.findings import Finding
from whileai_export.shared.options import SftOptions
from whileai_export.shared.tally import NO_MARKS, Tally


def tally() -> Tally:
    made = Tally(read=30, calls_checked=40, calls_invalid=25)
    for row in range(25):
        made.gate("tool_call_roundtrip").add([Finding("tool_call_roundtrip", "$", "p", row)])
    made.filtered["duplicate"] = 3
    return made


def report(**options: object) -> dict:
    return sft_report(SftOptions(**options), tally(), NO_MARKS, written=27, groups=0, gates=(),
                      refuses=frozenset({"tool_call_roundtrip"}))  # fmt: skip


def test_a_report_is_json():
    assert json.loads(json.dumps(report(), allow_nan=False)) == report()


def test_the_documented_keys_come_first():
    assert list(report())[:17] == [
        *("n", "format", "with_system", "with_tools", "groups", "tool_call_roundtrip", "mask_mode"),
        *("unrolled", "max_tool_output_chars", "tool_output_truncated", "tool_output_chars_cut"),
        *("trained_messages", "masked_messages", "privileged_leaks", "rewards", "open_ended"),
        "characters",
    ]


def test_rewards_counts_and_warnings_are_told():
    made = Tally(read=8, unrolled=3, quarantined=1)
    made.rewards["null"] = 2
    made.filtered.update(duplicate=2, min_reward=0)
    made.unsaid["trl"] = 1
    made.columns_left_out.update(reason=2, prompt=1)
    marks = NO_MARKS._replace(passed=3, failed=2, ungraded=3, open_end=1)
    told = sft_report(SftOptions(), made, marks, written=8, groups=0, gates=(), refuses=frozenset())
    assert told["rewards"] == {
        "n_pass": 3,
        "n_fail": 2,
        "n_ungraded": 3,
        "ungraded_by_kind": {"null": 2},
    }
    assert told["counts"] == {
        "read": 8,
        "unrolled": 3,
        "written": 8,
        "quarantined": 1,
        "filtered": {"duplicate": 2},
        "refused": 0,
    }
    assert (told["duplicates"], told["dropped_by_format"]) == (2, {"trl": 1})
    assert list(told["columns_left_out"].items()) == [("prompt", 1), ("reason", 2)]
    assert any("below 0.5" in warning for warning in told["warnings"])
    assert refused(told, SourceError("no"))["counts"]["refused"] == 11


def test_the_source_is_told_by_rows_shapes_and_where_things_came_from():
    made = Tally(read=2)
    made.shapes.update(steps=2)
    made.prompts.update(sidecar=2)
    made.tools.update(none=1, row=1)
    assert source_counts(made) == {
        "rows": 2,
        "shapes": {"steps": 2},
        "system_prompt_from": {"sidecar": 2},
        "tools_from": {"none": 1, "row": 1},
    }


def test_an_unrolled_export_says_so_in_its_mask_mode():
    assert report(unroll=True)["mask_mode"] == "final (unrolled)"
    assert report(mask_mode="final")["mask_mode"] == "final"


def test_several_formats_are_named_together():
    assert report(formats=("openai", "trl"))["format"] == ["openai", "trl"]


def test_counts_are_exact_and_twenty_are_named():
    told = findings(tally(), (), frozenset({"tool_call_roundtrip"}))["tool_call_roundtrip"]
    assert (told["n_checked"], told["count"], len(told["named"])) == (40, 25, 20)
    assert told["refuses"] is True


def test_a_gate_that_had_nothing_to_compare_says_so():
    told = findings(Tally(read=3), ("policy",), frozenset())
    assert (told["policy"]["checked"], told["structure"]["checked"]) == (False, True)
    assert told["policy"]["summary"] == "policy: not checked, there was nothing to compare"
    assert told["structure"]["summary"] == "structure: 3 rows checked, 0 rows with findings"


def test_sides_are_counted_as_sides():
    told = findings(Tally(read=3), (), frozenset(), sides=True)["structure"]
    assert told["summary"] == "structure: 6 sides checked, 0 sides with findings"
    assert summary("structure", 1, 1) == "structure: 1 row checked, 1 row with findings"


def test_a_refused_export_wrote_nothing():
    error = SourceError("no")
    told = refused(report(), error)
    assert told["counts"] == {
        "read": 30, "unrolled": 0, "written": 0, "quarantined": 0, "filtered": {}, "refused": 30,
    }  # fmt: skip
    assert error.report is told


def test_the_round_trip_names_the_encoding_that_it_checked():
    assert roundtrip(SftOptions(formats=("trl",)), tally()) == {
        "checked": 40,
        "invalid": 25,
        "rows": list(range(20)),
        "encoding": "dict",
        "checked_for": "arguments that are objects",
        "summary": "tool_call_roundtrip: 40 calls checked, 25 rows with findings",
    }


def test_the_round_trip_of_several_formats_names_every_encoding():
    told = roundtrip(SftOptions(formats=("openai", "trl", "kto")), tally())
    assert told["encoding"] == ["json_string", "dict"]
    assert told["checked_for"] == (
        "arguments that are JSON text of an object and arguments that are objects"
    )


def test_leaks_are_summed_up():
    made = Tally()
    assert leaks(made)["summary"].startswith("not checked")
    assert leaks(made)["checked"] is False
    made.gate("privileged_leak").checked = 4
    made.gate("privileged_leak").disclosed = 2
    assert leaks(made)["summary"] == (
        "4 rows checked, none quotes its own privileged block, "
        "2 values were told to the assistant first"
    )
    assert leaks(made)["checked"] is True


def test_without_the_package_that_reads_schemas_its_gate_says_so(monkeypatch):
    assert summary("tool_schema", 0, 0) == (
        "tool_schema: not checked, there was nothing to compare"
    )
    monkeypatch.setattr("whileai_export.pipeline.report.library", lambda: None)
    assert summary("tool_schema", 2, 1) == (
        "tool_schema: 2 rows checked, 1 row with findings; only names were compared, "
        "arguments need jsonschema-rs: pip install 'whileai-export[schema]'"
    )
    assert summary("policy", 2, 1) == "policy: 2 rows checked, 1 row with findings"
