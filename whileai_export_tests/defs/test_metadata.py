from __future__ import annotations

from pathlib import Path

from whileai_export.defs.metadata import bounded, entries, file_metadata, numbers

REPORT = {
    "counts": {"read": 9, "written": 6, "quarantined": 1},
    "rewards": {"n_pass": 3, "n_fail": 1},
    "findings": {"privileged_leak": {"count": 2}},
    "duplicates": 4,
    "tasks": 5,
    "characters": 600,
}


def output(folder: Path, format: str) -> dict[str, object]:
    return {"format": format, "path": str(folder / f"sft.{format}.jsonl"), "rows": 6, "bytes": 10}


def test_metadata_has_no_nan_and_no_long_list():
    assert bounded({"a": float("nan"), "b": (1, 2), "c": [float("inf")]}) == {
        "a": None,
        "b": [1, 2],
        "c": [None],
    }
    assert len(bounded(list(range(1000)))) == 20


def test_the_numbers_that_plot_are_flat():
    assert numbers(REPORT) == {
        "rows": 6,
        "read": 9,
        "quarantined": 1,
        "pass_rate": 0.75,
        "leaks": 2,
        "duplicates": 4,
        "tasks": 5,
        "characters": 600,
    }


def test_a_number_that_is_none_is_left_out():
    assert "mean_margin" not in numbers({"pairs": 0, "mean_margin": None, "counts": {}})
    assert "pass_rate" not in numbers({"rewards": {"n_pass": 0, "n_fail": 0}})


def test_pairs_are_counted_as_pairs():
    assert entries({"pairs": 3, "counts": {"written": 6}}) == 3


def test_one_file_is_its_own_address_and_several_are_their_folder(tmp_path: Path):
    one = file_metadata({**REPORT, "outputs": [output(tmp_path, "trl")]})
    both = file_metadata({**REPORT, "outputs": [output(tmp_path, f) for f in ("trl", "openai")]})
    assert one["dagster/uri"] == (tmp_path / "sft.trl.jsonl").as_uri()
    assert (both["dagster/uri"], both["size_bytes"]) == (tmp_path.as_uri(), 20)
    assert both["dagster/partition_row_count"] == 6


def test_no_file_is_no_row():
    assert file_metadata({"counts": {"written": 0}, "outputs": []}) == {
        "dagster/partition_row_count": 0
    }
