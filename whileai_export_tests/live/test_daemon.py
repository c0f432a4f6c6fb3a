"""The real webserver and daemon: simulations arrive, change, leak, and are backfilled."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from whileai_export_tests.defs.homes import PROFILE, SECRET, Row, leaking, rows
from whileai_export_tests.live.pages import Pages

pytestmark = pytest.mark.slow
DONE = ("SUCCESS", "FAILURE", "CANCELED")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pages]:
    with Pages(tmp_path_factory.mktemp("live")) as running:
        yield running


def moved_in(pages: Pages, name: str, found: list[Row]) -> None:
    """A folder written elsewhere, then renamed into place."""
    folder = pages.home / f"{name}.new"
    folder.mkdir()
    text = "".join(json.dumps(row) + "\n" for row in found)
    (folder / "trajectories.jsonl").write_text(text, "utf-8")
    (folder / "profile.json").write_text(json.dumps(PROFILE), "utf-8")
    folder.rename(pages.home / "simulations" / name)


def report(pages: Pages, kind: str, name: str) -> Row:
    return json.loads((pages.home / kind / name / "report.json").read_text("utf-8"))


def test_a_folder_moved_into_place_is_exported_without_a_hand(pages: Pages):
    for name, found in (("clean", rows()), ("other", rows(6)), ("leaky", leaking())):
        moved_in(pages, name, found)
    ran = pages.until(lambda: len(r := ended(pages)) == 3 and r, 240)
    assert ran == {"clean": "SUCCESS", "other": "SUCCESS", "leaky": "FAILURE"}
    assert report(pages, "sft", "clean")["counts"]["written"] == 4
    check = pages.check("training_rows", "privileged_leak", "leaky")
    assert (check["status"], check["evaluation"]["success"]) == ("FAILED", False)
    assert not (pages.home / "sft" / "leaky").exists()
    assert not (pages.home / "preference" / "leaky").exists()


def test_changed_bytes_are_exported_again(pages: Pages):
    before = report(pages, "sft", "clean")["input"]["sha256"]
    path = pages.home / "simulations" / "clean" / "trajectories.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows(5)), "utf-8")
    pages.until(lambda: report(pages, "sft", "clean")["input"]["sha256"] != before, 240)
    assert report(pages, "sft", "clean")["counts"]["read"] == 10


def test_a_backfill_takes_other_options_and_a_refused_partition_stops_nobody(pages: Pages):
    config = {"ops": {"sft_jsonl": {"config": {"formats": ["fireworks"]}}}}
    backfill = pages.backfill(["clean", "leaky", "other"], config)
    ran = pages.until(lambda: len(r := ended(pages, dagster_backfill=backfill)) == 3 and r, 240)
    assert ran == {"clean": "SUCCESS", "other": "SUCCESS", "leaky": "FAILURE"}
    assert pages.partitions("sft_jsonl")["numMaterialized"] == 2
    told = report(pages, "sft", "other")
    assert told["options_from"]["formats"] == "run config"
    assert [output["format"] for output in told["outputs"]] == ["fireworks"]


def test_no_private_word_is_kept_by_the_instance_or_published(pages: Pages):
    kept = [p for p in pages.instance.rglob("*") if p.is_file()]
    for kind in ("sft", "preference", "refusals"):
        kept += [path for path in (pages.home / kind).rglob("*") if path.is_file()]
    assert len(kept) > 10
    assert [path for path in [*kept, pages.log] if holds(path)] == []


def holds(path: Path) -> bool:
    return SECRET.encode() in path.read_bytes()


def ended(pages: Pages, **tags: str) -> dict[str, str]:
    """The runs with these tags that have ended, by partition."""
    return {name: status for name, status in pages.runs(**tags).items() if status in DONE}
