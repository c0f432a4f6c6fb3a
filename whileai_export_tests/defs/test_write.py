from __future__ import annotations

import pytest

from whileai_export.defs.outcomes import outcomes
from whileai_export.defs.write import content_version
from whileai_export_tests.defs.homes import Project, checks, leaking, problem, rows


def test_one_file_is_its_own_version_and_several_have_one_together():
    one, two = {"sha256": "a" * 64}, {"sha256": "b" * 64}
    assert content_version([one]) == "a" * 64
    assert content_version([one, two]) not in ("a" * 64, "b" * 64)
    assert content_version([one, two]) != content_version([two, one])


def test_a_materialization_shows_report_columns_lineage_and_rows(project: Project):
    project.add("night", rows())
    events = project.run("night").get_asset_materialization_events()
    found = {e.asset_key.path[-1]: e.step_materialization_data.materialization for e in events}
    shown = found["sft_jsonl"].metadata
    assert shown["report"].value["counts"]["written"] == 4
    assert (shown["rows"].value, shown["dagster/partition_row_count"].value) == (4, 4)
    assert "Found t0, attempt 0." in shown["preview"].value
    names = [column.name for column in shown["dagster/column_schema"].value.columns]
    assert names == list(shown["dagster/column_lineage"].value.deps_by_column)
    assert {"messages", "loss_mask", "reward", "prompt", "prompt_text"} <= set(names)


def test_the_private_rows_are_described_and_never_shown(project: Project):
    project.add("night", rows())
    events = project.run("night").get_asset_materialization_events()
    found = {e.asset_key.path[-1]: e.step_materialization_data.materialization for e in events}
    shown = found["training_rows"].metadata
    assert "preview" not in shown
    names = [column.name for column in shown["dagster/column_schema"].value.columns]
    assert {"messages", "privileged", "row_id"} <= set(names)


def test_a_gate_refuses_in_its_own_words_where_no_trace_can_be_kept(
    project: Project, monkeypatch: pytest.MonkeyPatch
):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    project.add("night", leaking())
    monkeypatch.setattr("whileai_export.defs.step.write_private", full)
    result = project.run("night")
    assert checks(result)["training_rows/privileged_leak"] is False
    assert problem(result).startswith("privileged_leak: 1 of 8 rows. line 7 ")
    assert "no trace of this is kept: [Errno 28] No space left on device" in problem(result)
    (step,) = [s for s in outcomes(result, project.folders, "night") if s.asset == "training_rows"]
    assert step.state == "refused"
