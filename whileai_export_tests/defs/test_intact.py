from __future__ import annotations

import hashlib
import json
from pathlib import Path

import dagster as dg
import pytest

from whileai_export.defs.dataset import Dataset
from whileai_export.defs.intact import inspected
from whileai_export_tests.defs.homes import SECRET, Project, checks, rows


@pytest.fixture
def published(project: Project) -> Project:
    project.add("night", rows())
    assert project.run("night").success
    return project


def looked_at(project: Project, kind: str = "sft") -> tuple[bool, str]:
    found = inspected(Dataset(), project.folders, kind, "night")
    return found.passed, found.description or ""


def rewrite(project: Project, kind: str, old: str, new: str, *, record: bool) -> Path:
    """Change a published file, and its digest in the report where the change is to go unseen."""
    path = project.folders.published_files(kind, "night")["openai"]
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    if record:
        report_path = path.with_name("report.json")
        report = json.loads(report_path.read_text("utf-8"))
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        report["outputs"][0]["sha256"] = digest
        report_path.write_text(json.dumps(report), "utf-8")
    return path


def test_untouched_files_pass(published: Project):
    assert looked_at(published) == (True, "2 files as recorded")
    assert looked_at(published, "preference") == (True, "2 files as recorded")


def test_it_can_be_executed_alone(published: Project):
    result = published.definitions.resolve_job_def("__ASSET_JOB")
    selected = dg.AssetCheckKey(dg.AssetKey("sft_jsonl"), "published_file_intact")
    rewrite(published, "sft", "Found t0", "Found u0", record=False)
    ran = result.get_subset(asset_selection=set(), asset_check_selection={selected})
    done = ran.execute_in_process(
        partition_key="night", instance=published.instance, raise_on_error=False
    )
    assert checks(done) == {"sft_jsonl/published_file_intact": False}


def test_files_that_were_copied_from_another_simulation_are_none_of_this_one(project: Project):
    for name, tasks in (("night", 4), ("other", 6)):
        project.add(name, rows(tasks))
        assert project.run(name).success
    there, here = (project.folders.published("sft", name) for name in ("other", "night"))
    for path in there.iterdir():
        (here / path.name).write_bytes(path.read_bytes())
    assert looked_at(project) == (False, "folder: report.json is of the simulation other")


def test_changed_bytes_are_found_by_their_digest(published: Project):
    rewrite(published, "sft", "Found t0", "Found u0", record=False)
    passed, said = looked_at(published)
    assert not passed
    assert said.startswith("openai: sha256 is ")


@pytest.mark.parametrize("kind", ["sft", "preference"])
def test_a_leak_is_found_whatever_the_report_says(published: Project, kind: str):
    rewrite(published, kind, "Found t0, attempt 0.", f"Well, {SECRET}.", record=True)
    passed, said = looked_at(published, kind)
    assert not passed
    assert said.startswith("openai: privileged_leak: ")
    assert SECRET not in said


def test_arguments_that_are_no_object_are_found(published: Project):
    rewrite(published, "sft", r"{\"key\":\"t0\"}", "none", record=True)
    assert looked_at(published)[1].startswith("openai: tool_call_roundtrip: ")


def test_a_result_that_answers_no_call_is_warned_of(published: Project):
    rewrite(published, "sft", '"tool_call_id":"call_0000"', '"tool_call_id":"c9"', record=True)
    found = inspected(Dataset(), published.folders, "sft", "night")
    assert (found.passed, found.severity) == (False, dg.AssetCheckSeverity.WARN)
    assert found.description == (
        "2 files as recorded; openai: structure: 4 conversations checked, 4 conversations with"
        " findings"
    )


def test_the_files_of_every_format_are_looked_at(project: Project):
    project.add("night", rows())
    sft = ["openai", "trl", "trl-completion", "fireworks", "kto"]
    assert project.run(
        "night", sft_jsonl={"formats": sft}, preference_jsonl={"formats": sft[:4]}
    ).success
    assert looked_at(project) == (True, "5 files as recorded")
    assert looked_at(project, "preference") == (True, "4 files as recorded")


def test_a_torn_line_is_found_without_quoting_it(published: Project):
    rewrite(published, "sft", '{"messages"', '{"mess', record=True)
    assert looked_at(published) == (False, "openai: a line is no row")


def test_a_file_that_is_gone_is_missed(published: Project):
    published.folders.published_files("sft", "night")["trl"].unlink()
    assert looked_at(published) == (False, "trl: the file is gone")


def test_nothing_published_is_said_to_be_nothing(project: Project):
    project.add("night", rows())
    assert looked_at(project) == (False, "nothing is published for night")


def test_a_report_that_names_nothing_hides_no_file(published: Project):
    report = published.folders.published("sft", "night") / "report.json"
    for told, expected in (
        ({}, "report.json names no outputs"),
        ({"outputs": [{"path": "sft.openai.jsonl"}]}, "report.json names no outputs"),
        ({"outputs": [{"format": "word", "sha256": "0"}]}, "report.json names no outputs"),
        ({"outputs": []}, "folder: sft.openai.jsonl is not named by report.json"),
    ):
        report.write_text(json.dumps(told), "utf-8")
        passed, said = looked_at(published)
        assert (passed, said.split(";")[0]) == (False, expected)


def test_the_features_belong_to_the_files(published: Project):
    (published.folders.published("sft", "night") / "README.md").unlink()
    assert looked_at(published) == (False, "folder: README.md with the features is gone")
