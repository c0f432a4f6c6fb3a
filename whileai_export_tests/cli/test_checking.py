from __future__ import annotations

import json
import re
from pathlib import Path

from whileai_export import export_dataset
from whileai_export_tests.builders import jsonl, rows_of, steps_row
from whileai_export_tests.cli.calling import call


def test_a_clean_file_holds(clean: Path):
    done = call("check", clean)
    assert done.exit_code == 0, done.output
    held = "48 rows, 5 gates hold; not checked: policy"
    assert done.output.rstrip().endswith(held)
    assert "tool_schema" not in done.output  # there are no tools


def test_a_leaking_file_does_not(leaking: Path):
    done = call("check", leaking)
    assert done.exit_code == 1
    assert "privileged_leak: 3 of 32 rows" in done.output
    assert done.output.rstrip().endswith(
        f"export {leaking} --on-leak quarantine --max-quarantined 0.1"
    )


def test_a_training_file_can_be_checked_too(clean: Path, tmp_path: Path):
    call("export", clean, "-o", tmp_path / "t.jsonl")
    done = call("check", tmp_path / "t.jsonl")
    assert done.exit_code == 0, done.output
    held = "28 rows, 4 gates hold; not checked: privileged_leak, policy"
    assert done.output.rstrip().endswith(held)


def test_pairs_can_be_checked_too(clean: Path, tmp_path: Path):
    call("preference", clean, "-o", tmp_path / "p.jsonl")
    done = call("check", tmp_path / "p.jsonl")
    assert done.exit_code == 0, done.output
    assert "invalid (openai)" in done.output
    held = "11 pairs, 3 gates hold; not checked: privileged_leak, tool_schema"
    assert done.output.rstrip().endswith(held)


def test_what_is_out_of_order_in_pairs_is_said_and_refused_where_that_is_asked(
    clean: Path, tmp_path: Path
):
    pairs = tmp_path / "p.jsonl"
    call("preference", clean, "-o", pairs)
    text = re.sub(r'"tool_call_id":"[^"]*"', '"tool_call_id":"c9"', pairs.read_text("utf-8"))
    pairs.write_text(text, "utf-8")
    said = "22 conversations checked, 19 conversations with findings"
    assert said in call("check", pairs).output
    done = call("check", pairs, "--strict")
    assert (done.exit_code, done.output.splitlines()[0]) == (1, "refused by structure")


def test_arguments_that_are_no_object_are_found_in_pairs(clean: Path, tmp_path: Path):
    pairs = tmp_path / "p.jsonl"
    call("preference", clean, "-o", pairs)
    pairs.write_text(pairs.read_text("utf-8").replace('"{\\"ticket', '"[\\"ticket'), "utf-8")
    done = call("check", pairs)
    assert done.exit_code == 1
    assert done.output.startswith("refused by tool_call_roundtrip\n")


def test_arguments_as_text_are_found_where_a_trainer_reads_objects(tmp_path: Path):
    source = jsonl(tmp_path / "s.jsonl", [steps_row(), steps_row()])
    target = tmp_path / "o.jsonl"
    for format, wrong in (("openai", 0), ("trl", 1)):
        export_dataset(source, target, format=format)
        rows = rows_of(target)
        function = rows[1]["messages"][1]["tool_calls"][0]["function"]
        function["arguments"] = '{"parcel":7}'
        jsonl(target, rows)
        done = call("check", target)
        assert done.exit_code == wrong
        if wrong:
            said = "refused by tool_call_roundtrip\n2 calls checked, 1 invalid (trl)\n"
            assert done.output.startswith(said)


def test_for_machines_it_is_the_report(clean: Path):
    assert json.loads(call("check", clean, "--json").output)["counts"]["read"] == 48


def test_a_folder_that_is_no_simulation_is_refused_as_an_export_of_it_is(tmp_path: Path):
    checked, exported = call("check", tmp_path), call("export", tmp_path)
    assert checked.output == exported.output
    assert "expected a simulation folder with trajectories.jsonl in it" in checked.output
    assert (checked.exit_code, exported.exit_code) == (2, 2)


def test_a_torn_file_is_named(tmp_path: Path):
    (tmp_path / "runs.jsonl.gz").write_bytes(b"\x1f\x8bpacked")
    done = call("check", tmp_path / "runs.jsonl.gz")
    assert done.exit_code == 2
    assert done.output.endswith("expected a whole .gz file, got a damaged or torn one\n")
