from __future__ import annotations

from pathlib import Path

import pytest

from whileai_export.cli.target import beside, of_format
from whileai_export.pipeline.outcome import Target
from whileai_export_tests.cli.calling import call


@pytest.mark.parametrize(
    ("target", "file"),
    [
        (Path("o.jsonl"), Path("o.trl.jsonl")),
        (Path("/a/o.jsonl.gz"), Path("/a/o.trl.jsonl.gz")),
        (Path("a/o"), Path("a/o.trl.jsonl")),
        ("s3://box/a/o.jsonl", "s3://box/a/o.trl.jsonl"),
        ("s3://box/o.jsonl.zst", "s3://box/o.trl.jsonl.zst"),
    ],
)
def test_each_of_several_formats_has_a_file_beside_the_one_that_is_named(
    target: Target, file: Target
):
    assert of_format(target, "trl") == file


def test_a_name_beside_a_url_is_a_url():
    assert beside("s3://box/a/o.jsonl", "b.jsonl") == "s3://box/a/b.jsonl"


def test_nothing_is_written_to_standard_output(clean: Path, tmp_path: Path):
    done = call("export", clean, "-o", "-")
    assert done.exit_code == 2
    assert "a file is put in place whole, never written to -; name a file" in done.output
    assert [path.name for path in tmp_path.iterdir()] == [clean.name]


def test_a_folder_is_no_file_to_write(clean: Path, tmp_path: Path):
    done = call("export", clean, "-o", tmp_path)
    assert done.exit_code == 2
    assert "is a folder; name a file in it" in done.output
