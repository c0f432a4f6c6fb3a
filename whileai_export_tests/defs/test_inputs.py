from __future__ import annotations

import hashlib
from pathlib import Path

import dagster as dg
import pytest

from whileai_export.defs.inputs import (
    StaleInput,
    Upstream,
    file_sha256,
    present_input,
    simulation_files,
    staged_input,
)
from whileai_export.defs.resources import Folders
from whileai_export.pipeline.records import write_private
from whileai_export.shared.errors import SourceError

KEY = dg.AssetKey("training_rows")
REPORT = {"run_id": "0123456789", "outputs": [{"sha256": "abc"}]}


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    folder = tmp_path / "simulations" / "night"
    folder.mkdir(parents=True)
    (folder / "trajectories.jsonl").write_text("{}\n", "utf-8")
    return Folders(tmp_path)


def test_the_input_is_the_bytes_and_the_facts_beside_them(folders: Folders):
    bare = present_input(folders, "night")
    assert bare.sha256 == hashlib.sha256(b"{}\n").hexdigest()
    assert (bare.facts_sha256, bare.bytes) == ("", 3)
    (folders.simulation("night") / "profile.json").write_text("{}", "utf-8")
    told = present_input(folders, "night")
    assert told.sha256 == bare.sha256
    assert told.digest != bare.digest


def test_the_facts_of_a_file_are_its_sidecar_and_the_profile_beside_it(tmp_path: Path):
    folder = tmp_path / "simulations"
    folder.mkdir()
    for name in ("day.jsonl.gz", "day.meta.json", "profile.json", "other.meta.json"):
        (folder / name).touch()
    rows, facts = simulation_files(Folders(tmp_path), "day")
    assert rows.name == "day.jsonl.gz"
    assert [path.name for path in facts] == ["day.meta.json", "profile.json"]


def test_no_simulation_and_one_without_rows_are_refused(folders: Folders):
    with pytest.raises(StaleInput, match="expected a folder or a file, found none"):
        present_input(folders, "gone")
    (folders.simulation("night") / "trajectories.jsonl").unlink()
    with pytest.raises(SourceError, match=r"expected one trajectories\.jsonl, found 0"):
        present_input(folders, "night")


def test_rows_that_are_a_link_out_of_the_home_are_refused(folders: Folders, tmp_path: Path):
    rows = folders.simulation("night") / "trajectories.jsonl"
    rows.unlink()
    outside = tmp_path.parent / f"{tmp_path.name}.outside"
    outside.write_text("{}\n", "utf-8")
    rows.symlink_to(outside)
    with pytest.raises(SourceError, match="expected a path under the home"):
        present_input(folders, "night")


def test_staged_rows_of_the_present_simulation_are_accepted(folders: Folders):
    now = present_input(folders, "night").identity()
    write_private(
        folders.training_rows_report("night"), {**REPORT, "configured_digest": "cafe", "input": now}
    )
    upstream = staged_input(folders, KEY, "night", "cafe")
    assert upstream.plain() == {"asset": "training_rows", "run_id": "0123456789", "sha256": "abc"}


def test_rows_that_were_staged_under_another_system_prompt_are_stale(folders: Folders):
    now = present_input(folders, "night").identity()
    staged = {**REPORT, "configured_digest": "cafe", "input": now}
    write_private(folders.training_rows_report("night"), staged)
    with pytest.raises(StaleInput, match="under other options or another system prompt"):
        staged_input(folders, KEY, "night", "beef")


def test_nothing_staged_is_refused_by_name(folders: Folders):
    with pytest.raises(StaleInput, match="training_rows has staged nothing for night"):
        staged_input(folders, KEY, "night", "cafe")
    now = present_input(folders, "night").identity()
    write_private(folders.training_rows_report("night"), {**REPORT, "input": now, "outputs": []})
    with pytest.raises(StaleInput, match="training_rows of night staged no row in run 01234567"):
        staged_input(folders, KEY, "night", "cafe")


def test_a_refused_attempt_is_refused_by_its_gate_and_run(folders: Folders):
    refusal = folders.refusal("training_rows", "night")
    write_private(refusal, {"code": "privileged_leak", "run_id": "9876543210"})
    with pytest.raises(StaleInput, match=r"refused \(privileged_leak\) in run 98765432"):
        staged_input(folders, KEY, "night", "cafe")


def test_other_bytes_are_refused_by_both_digests():
    upstream = Upstream("training_rows", "0123456789", "a" * 64, {})
    upstream.expect("a" * 64)
    with pytest.raises(StaleInput, match="recorded sha256 aaaaaaaaaaaa in run 01234567"):
        upstream.expect("b" * 64)


def test_the_digest_of_a_file(tmp_path: Path):
    (tmp_path / "a").write_bytes(b"abc")
    assert file_sha256(tmp_path / "a") == hashlib.sha256(b"abc").hexdigest()
