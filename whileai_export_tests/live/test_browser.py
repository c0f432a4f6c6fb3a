"""What a person does: look at the graph, launch a backfill, read why a partition is red."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from whileai_export_tests.defs.homes import PROFILE, SECRET, leaking, rows
from whileai_export_tests.live.browser import Browser
from whileai_export_tests.live.pages import Pages

pytestmark = pytest.mark.slow
JOB = "/locations/__repository__@whileai_export/jobs/export_simulation"
GRAPH = "/asset-groups?expanded=__repository__%40whileai_export%3Awhileai_export"
SIMULATIONS = {"night_1": rows(), "night_2": rows(6), "night_3": leaking()}


def program() -> str:
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        pytest.skip("there is no chromium on this machine")
    return found


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[Pages]:
    """A project whose sensors are off, and then three registered simulations, one leaking."""
    with Pages(tmp_path) as running:
        running.stop_sensors()
        for name, found in SIMULATIONS.items():
            folder = running.home / "simulations" / name
            folder.mkdir()
            text = "".join(json.dumps(row) + "\n" for row in found)
            (folder / "trajectories.jsonl").write_text(text, "utf-8")
            (folder / "profile.json").write_text(json.dumps(PROFILE), "utf-8")
        instance = dg.DagsterInstance.from_config(str(running.instance))
        instance.add_dynamic_partitions("simulation", list(SIMULATIONS))
        instance.dispose()
        yield running


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    with Browser(program(), tmp_path) as running:
        yield running


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """Where the pictures go: ``docs/images`` where that is asked for."""
    return Path(os.environ.get("WHILEAI_EXPORT_PICTURES") or tmp_path)


def test_a_backfill_is_launched_by_clicking_and_two_of_three_turn_green(
    browser: Browser, pages: Pages, pictures: Path
):
    browser.open(pages.url + JOB)
    browser.shows("graded_simulations")
    browser.click("Materialize all…", whole=False)
    browser.shows("Partition selection")
    browser.click("All")
    browser.shows("3 partitions")
    browser.picture(pictures / "backfill.png")
    browser.click("Launch backfill", whole=False)
    ended = ("SUCCESS", "FAILURE")
    ran = pages.until(
        lambda: len(r := {k: v for k, v in pages.runs().items() if v in ended}) == 3 and r, 240
    )
    assert ran == {"night_1": "SUCCESS", "night_2": "SUCCESS", "night_3": "FAILURE"}
    assert pages.partitions("sft_jsonl")["numMaterialized"] == 2
    assert not (pages.home / "sft" / "night_3").exists()

    browser.open(pages.url + GRAPH)
    browser.until(lambda: "66% filled" in browser.text() or "67% filled" in browser.text(), 60)
    browser.picture(pictures / "graph.png")

    browser.open(f"{pages.url}/assets/training_rows?view=checks&checkDetail=privileged_leak")
    browser.shows("privileged_leak: 8 rows checked, 1 row with findings")
    browser.shows("next: leave these rows out and keep them in a private file")
    assert SECRET not in browser.text()

    browser.open(f"{pages.url}/assets/sft_jsonl?view=partitions&partition=night_1")
    browser.shows("dagster/partition_row_count")
    assert SECRET not in browser.text()
