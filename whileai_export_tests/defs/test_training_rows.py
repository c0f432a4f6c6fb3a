from __future__ import annotations

import hashlib
import json

import dagster as dg

from whileai_export_tests.builders import mode
from whileai_export_tests.defs.homes import (
    PROFILE,
    SECRET,
    Project,
    check,
    checks,
    leaking,
    materialized,
    problem,
    row,
    rows,
)


def test_staged_rows_keep_their_privileged_block_and_line_and_are_private(project: Project):
    project.add("night", rows())
    project.run("night", "graded_simulations", "training_rows")
    path = project.folders.training_rows("night")
    staged = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert [row["source_line"] for row in staged] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert {row["privileged"]["reference"] for row in staged} == {SECRET}
    assert (mode(path), mode(path.parent)) == (0o600, 0o700)
    assert mode(project.folders.training_rows_report("night")) == 0o600


def test_the_report_names_input_upstream_options_and_code(project: Project):
    project.add("night", rows())
    result = project.run("night", "graded_simulations", "training_rows")
    report = json.loads(project.folders.training_rows_report("night").read_text("utf-8"))
    assert report["run_id"] == report["upstream"]["run_id"] == result.run_id
    assert report["upstream"]["sha256"] == report["input"]["sha256"] == report["source"]["sha256"]
    assert report["options_digest"] == report["configured_digest"]
    assert set(report["options_from"].values()) == {"careful defaults"}
    assert len(report["code_version"]) == 16


def test_a_leak_turns_its_check_red_and_materializes_nothing(project: Project):
    project.add("night", leaking())
    result = project.run("night")
    assert not result.success
    assert checks(result)["training_rows/privileged_leak"] is False
    assert checks(result)["training_rows/tool_call_roundtrip"] is True
    assert materialized(result) == {"graded_simulations"}
    assert project.files() == {"refusals/training_rows/night.json"}
    assert problem(result).startswith("privileged_leak: 1 of 8 rows. line 7 ")


def test_a_refusal_is_not_retried_and_carries_its_report(project: Project):
    project.add("night", leaking())
    failure = project.run("night").get_step_failure_events()[0].step_failure_data
    assert failure.user_failure_data is not None
    report = failure.user_failure_data.metadata["report"].value
    assert report["findings"]["privileged_leak"]["count"] == 1
    assert report["counts"]["refused"] == 8


def test_a_refusal_says_how_to_go_on_in_the_failure_in_the_red_check_and_on_the_partition(
    project: Project,
):
    project.add("night", leaking())
    result = project.run("night")
    failure = result.get_step_failure_events()[0].step_failure_data.user_failure_data
    assert failure is not None
    red = check(result, "training_rows", "privileged_leak")
    key = dg.AssetKey("training_rows")
    (seen,) = project.instance.fetch_observations(key, limit=9).records
    observed = seen.event_log_entry.asset_observation
    assert str(observed.description).startswith("refused: privileged_leak: 1 of 8 rows. line 7 ")
    assert observed is not None
    assert observed.partition == "night"
    assert observed.metadata["refused"].value == problem(result)
    for metadata in (failure.metadata, red.metadata, observed.metadata):
        assert metadata["next"].value == "leave these rows out and keep them in a private file"
        command = metadata["next_command"].value
        assert command.startswith(f"WHILEAI_EXPORT_HOME={project.home} ")
        assert metadata["next_config"].value == (
            'ops: {training_rows: {config: {on_leak: "quarantine", max_quarantined: 0.13}}}'
        )
    for said in (failure.description, red.description):
        assert "\n\nnext: leave these rows out" in str(said)
        assert str(said).endswith("run night --set on_leak=quarantine --set max_quarantined=0.13")
    assert "next" not in check(result, "training_rows", "tool_call_roundtrip").metadata


def test_leaking_rows_go_to_quarantine_where_the_run_says_so(project: Project):
    project.add("night", leaking())
    config = {"on_leak": "quarantine", "max_quarantined": 0.2}
    result = project.run("night", training_rows=config)
    assert result.success
    kept = project.folders.quarantine("night")
    assert [json.loads(line)["line"] for line in kept.read_text("utf-8").splitlines()] == [7]
    assert mode(kept) == 0o600
    report = json.loads(project.folders.training_rows_report("night").read_text("utf-8"))
    assert report["options_from"]["on_leak"] == "run config"
    assert report["options_digest"] != report["configured_digest"]


def test_more_quarantine_than_allowed_is_refused_by_the_gate_that_filled_it(project: Project):
    project.add("night", leaking())
    result = project.run("night", training_rows={"on_leak": "quarantine"})
    assert checks(result)["training_rows/privileged_leak"] is False
    assert problem(result).startswith("quarantine_limit: 1 of 8 rows (12.5%)")


def test_bytes_that_were_not_registered_are_refused_by_name(project: Project):
    folder = project.add("night", rows())
    assert problem(project.run("night", "training_rows")) == (
        "no input: graded_simulations has not registered night;"
        " materialize graded_simulations first"
    )
    project.run("night", "graded_simulations")
    project.add("night", rows(5))
    assert problem(project.run("night", "training_rows")).startswith(
        "stale input: graded_simulations stands for sha256 "
    )
    assert project.files() == set()
    assert folder.is_dir()


def test_a_changed_profile_is_another_input(project: Project):
    project.add("night", rows())
    project.run("night", "graded_simulations")
    project.add("night", rows(), {"policy": "Be long."})
    assert "changed since" in problem(project.run("night", "training_rows"))


def test_gates_that_only_warn_name_what_they_found_and_let_the_rows_pass(project: Project):
    strict = {"type": "object", "properties": {"key": {"type": "integer"}}}
    tool = {"type": "function", "function": {"name": "look", "parameters": strict}}
    lineage = {"system_prompt_sha": hashlib.sha256(b"Be long.").hexdigest()}
    key = "The key is AKIA" + "IOSFODNN7EXAMPLQ."
    twice = [{"user": "Hello?"}, {"user": "Hello?"}, {"text": "Yes."}]
    found = [row("t0", 0, 1.0, key, lineage=lineage), row("t1", 0, 1.0, steps=twice)]
    project.add("night", found, {**PROFILE, "tools": [tool]})
    result = project.run("night", "graded_simulations", "training_rows")
    assert result.success
    seen = {
        name: check(result, "training_rows", name)
        for name in ("structure", "tool_schema", "policy", "secrets")
    }
    assert {name: (c.passed, c.severity.value) for name, c in seen.items()} == dict.fromkeys(
        seen, (False, "WARN")
    )
    assert {name: str(c.description) for name, c in seen.items()} == {
        "structure": "structure: 2 rows checked, 1 row with findings",
        "tool_schema": "tool_schema: 1 row checked, 1 row with findings",
        "policy": "policy: 1 row checked, 1 row with findings",
        "secrets": "secrets: 2 rows checked, 1 row with findings",
    }
    assert "AKIA" not in str([c.metadata for c in seen.values()])


def test_gates_with_nothing_to_compare_pass_and_say_so(project: Project):
    plain = {"steps": [{"text": "Hm."}], "privileged": None}
    project.add("night", [row("t0", 0, 1.0, "Done.", **plain)], {"policy": "Be brief."})
    result = project.run("night", "graded_simulations", "training_rows")
    for name in ("tool_call_roundtrip", "privileged_leak", "tool_schema", "policy"):
        found = check(result, "training_rows", name)
        assert (found.passed, found.metadata["checked"].value) == (True, False)
        assert found.description == f"{name}: not checked, there was nothing to compare"


def test_an_unknown_value_in_the_run_config_leaves_no_trace(project: Project):
    project.add("night", rows())
    result = project.run("night", training_rows={"on_leak": "ignore"})
    assert problem(result) == "on_leak: expected one of refuse, quarantine, got 'ignore'"
    assert project.files() == set()


def test_the_same_bytes_have_the_same_data_version(project: Project):
    project.add("night", rows())
    project.add("again", [row("other", 0, 1.0)])
    versions = []
    for name in ("night", "again", "night"):
        result = project.run(name, "graded_simulations", "training_rows")
        event = result.get_asset_materialization_events()[-1]
        tags = event.step_materialization_data.materialization.tags or {}
        versions.append(tags["dagster/data_version"])
    assert versions[0] == versions[2] != versions[1]
    assert isinstance(project.instance, dg.DagsterInstance)
