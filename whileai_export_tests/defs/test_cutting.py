from __future__ import annotations

import shutil

from whileai_export.defs.cutting import version_of
from whileai_export.defs.dataset import Dataset
from whileai_export.defs.resources import Datasets
from whileai_export.shared.schema import JsonObject
from whileai_export_tests.defs.homes import Project, leaking, rows


def cut(project: Project) -> JsonObject:
    return version_of(Dataset(), Datasets(home=str(project.home)), project.instance)


def test_a_version_is_cut_with_what_was_taken_and_what_was_left_out(project: Project) -> None:
    project.add("good", rows())
    project.add("leaky", leaking())
    for name in ("good", "leaky"):
        project.run(name)
    told = cut(project)
    assert (told["version"], told["new"], told["problem"]) == ("v0001", True, "")
    assert (told["rows"], told["pairs"]) == (4, 4)
    assert told["taken"] == [
        {"simulation": "good", "kind": "sft", "rows": {"openai": 4, "trl": 4}},
        {"simulation": "good", "kind": "preference", "rows": {"openai": 4, "trl": 4}},
    ]
    assert [part["kind"] for part in told["left_out"]] == ["sft", "preference"]
    assert told["left_out"][0]["reason"].startswith("training_rows was refused (privileged_leak)")
    assert cut(project)["new"] is False


def test_where_nothing_is_published_there_is_a_reason_and_no_version(project: Project) -> None:
    told = cut(project)
    assert told["problem"] == (
        "no version: nothing is published yet; `whileai-export run SIMULATION` publishes"
    )
    assert "version" not in told


def test_input_that_was_replaced_and_not_run_is_named(project: Project) -> None:
    project.add("night", rows())
    project.run("night")
    assert cut(project)["newer_input"] == []
    project.add("night", rows(5))
    told = cut(project)
    assert (told["version"], told["new"], told["newer_input"]) == ("v0001", False, ["night"])


def test_a_simulation_that_is_there_no_more_is_named(project: Project) -> None:
    folders = [project.add(name, rows()) for name in ("night", "day")]
    for name in ("night", "day"):
        project.run(name)
    assert cut(project)["gone"] == []
    shutil.rmtree(folders[0])
    (folders[1].parent / "day.jsonl").touch()  # a second of that name
    told = cut(project)
    assert (told["version"], told["new"], told["gone"]) == ("v0001", False, ["night"])


def test_what_the_version_before_has_and_this_one_has_not_is_told(
    project: Project,
) -> None:
    for name in ("night", "travel"):
        project.add(name, rows())
        project.run(name)
    assert cut(project)["lost"] == []
    project.add("travel", leaking())
    run = project.run("travel").run_id[:8]
    told = cut(project)
    reason = f"training_rows was refused (privileged_leak) in run {run}"
    assert (told["version"], told["parent"], told["lost_parts"]) == ("v0002", "v0001", 1)
    assert told["lost"] == [
        {
            "simulation": "travel",
            "kinds": ["sft", "preference"],
            "whole": True,
            "reason": reason,
            "waits": False,
        }
    ]


def test_a_simulation_that_a_run_is_at_work_on_is_left_out_whole(project: Project) -> None:
    for name in ("night", "travel"):
        project.add(name, rows())
        project.run(name)
    cut(project)
    run = project.run("travel", "sft_jsonl").run_id
    project.unend(run)
    told = cut(project)
    assert [part["kind"] for part in told["left_out"]] == ["sft", "preference"]
    assert {part["simulation"] for part in told["taken"]} == {"night"}
    assert (told["lost"][0]["simulation"], told["lost"][0]["waits"]) == ("travel", True)
    project.unend(run, "SUCCESS")
    assert {part["simulation"] for part in cut(project)["taken"]} == {"night", "travel"}
