from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from whileai_export.pipeline.places import columns_of, output_of, quarantine_of
from whileai_export.shared.errors import OptionError, SourceError
from whileai_export.shared.options import Policy

KEEPS = Policy(on_bad_row="quarantine")


@pytest.mark.parametrize(
    ("source", "output", "target"),
    [
        ("runs/night.jsonl", None, Path("runs/night.train.jsonl")),
        (Path("night.jsonl.gz"), None, Path("night.train.jsonl")),
        (Path("night.jsonl.zst"), None, Path("night.train.jsonl")),
        ("night.jsonl", "out.jsonl", Path("out.jsonl")),
        ("night.jsonl", PurePosixPath("out.jsonl"), Path("out.jsonl")),
        ([], None, None),
        ([], "s3://box/out.jsonl", "s3://box/out.jsonl"),
        ([], "file:///tmp/out.jsonl", Path("/tmp/out.jsonl")),
        (Path("/"), "out.jsonl", Path("out.jsonl")),
    ],
)
def test_the_target_is_as_given_else_beside_the_source(source, output, target):
    assert output_of(source, output) == target


def test_a_folder_or_a_url_has_no_file_beside_it(tmp_path):
    (tmp_path / "trajectories.jsonl").write_text("{}\n")
    for source in (tmp_path, "s3://me:secret@box/night.jsonl?key=1"):
        with pytest.raises(OptionError, match="pass output=") as caught:
            output_of(source, None)
        assert "secret" not in str(caught.value)


def test_a_folder_that_is_no_simulation_is_refused_for_that(tmp_path):
    with pytest.raises(SourceError, match=r"expected a simulation folder with trajectories\.jsonl"):
        output_of(tmp_path, None)


def test_what_is_no_path_at_all_is_left_to_the_source_to_refuse():
    output_of("x" * 9000, None)
    output_of("a\0b", None)


def test_an_output_is_text_or_a_path():
    for output in (7, b"out.jsonl"):
        with pytest.raises(OptionError, match="output: expected a path or a URL, got"):
            output_of([], output)


def test_the_quarantine_stands_beside_the_output():
    assert quarantine_of(Path("o.jsonl"), None, KEEPS) == Path("o.jsonl.quarantine.jsonl")
    assert quarantine_of("s3://box/o", None, KEEPS) == "s3://box/o.quarantine.jsonl"
    assert quarantine_of(Path("o.jsonl"), "q.jsonl", KEEPS) == Path("q.jsonl")


def test_there_is_no_quarantine_where_nothing_is_kept():
    assert quarantine_of(Path("o.jsonl"), "q.jsonl", Policy()) is None
    assert quarantine_of(None, None, KEEPS) is None


def test_columns_are_a_list_of_names():
    assert columns_of(["a", "b"]) == ("a", "b")
    assert columns_of(None) is None
    with pytest.raises(OptionError, match=r"pass \['reward'\]"):
        columns_of("reward")
