from __future__ import annotations

import hashlib
import os

import pytest

from whileai_export import export_dataset
from whileai_export.io.aside import Aside
from whileai_export.io.source import Source, opened
from whileai_export.io.staging import Staging
from whileai_export.pipeline.chunk import run_chunk
from whileai_export.pipeline.files import (
    Finishing,
    content_of,
    shown,
    source_of,
    spool_folder,
    staging_for,
)
from whileai_export.pipeline.join import Join
from whileai_export.shared.errors import OptionError
from whileai_export.shared.schema import Surroundings
from whileai_export.shared.tally import NO_MARKS, Tally
from whileai_export_tests.builders import bad_call_row, chat_row, job, jsonl


def test_a_file_is_told_with_rows_columns_digest_and_size(tmp_path):
    made = job(formats=("openai", "kto"))
    target = tmp_path / "o.jsonl"
    with Staging() as staging, Aside() as aside, Join(made, lambda unfit: None, NO_MARKS) as join:
        join.take(run_chunk(made, [(1, chat_row(reward=None))]))
        targets = {"openai": target, "kto": tmp_path / "k.jsonl"}
        (told,) = Finishing(join, staging, made, None, aside).files(targets)
        staging.publish()
    data = target.read_bytes()
    assert (told["format"], told["path"], told["rows"]) == ("openai", str(target), 1)
    assert (told["sha256"], told["bytes"]) == (hashlib.sha256(data).hexdigest(), len(data))
    assert told["longest_line"] == len(data) - 1


def test_the_source_is_no_target_in_any_spelling(tmp_path):
    path = jsonl(tmp_path / "s.jsonl", [chat_row()])
    (tmp_path / "hard.jsonl").hardlink_to(path)
    with opened(path) as found:
        for target in (path, tmp_path / "hard.jsonl", tmp_path / "." / "s.jsonl"):
            with pytest.raises(OptionError, match="the output is the source"):
                staging_for(path, found, [], target)


def test_a_private_file_does_not_close_the_folder_of_the_output(tmp_path):
    source = jsonl(tmp_path / "s.jsonl", [chat_row()] * 30 + [bad_call_row()])
    output = tmp_path / "new" / "o.jsonl"
    export_dataset(source, output, on_bad_row="quarantine")
    modes = [oct(path.stat().st_mode & 0o077) for path in (output.parent, *kept_beside(output))]
    assert modes == [oct(0o077 & ~umask()), "0o0"]


def kept_beside(output):
    return [output.with_name("o.jsonl.quarantine.jsonl")]


def umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_the_url_of_the_source_is_no_target(tmp_path):
    fsspec = pytest.importorskip("fsspec")
    url = "memory://box/in/s.jsonl"
    with fsspec.open(url, "wb") as stream:
        stream.write(b'{"messages": []}\n')
    with (
        opened(url) as found,
        staging_for(url, found, []) as staging,
        pytest.raises(OptionError, match="the output is the source"),
    ):
        staging.open(url)


def test_lines_wait_where_the_output_will_stand(tmp_path):
    assert spool_folder({"openai": "s3://box/o", "trl": tmp_path / "o"}) == tmp_path
    assert spool_folder({"trl": tmp_path / "missing" / "o"}) is None


def test_a_target_is_shown_without_what_may_be_secret():
    assert shown("s3://me:word@box/o.jsonl?key=1") == "s3://box/o.jsonl"


def test_a_source_is_told_with_digest_and_size(tmp_path):
    path = jsonl(tmp_path / "s.jsonl", [chat_row()])
    with opened(path) as found:
        told = source_of(found, Tally(read=1))
        content = content_of(found)
    data = path.read_bytes()
    assert (told["label"], told["rows"]) == (str(path), 1)
    assert content == {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
    with opened([chat_row()]) as found:
        assert content_of(found) == {}


def test_the_output_is_named_before_the_quarantine_where_neither_can_be_written(
    tmp_path, monkeypatch
):
    monkeypatch.setattr("os.access", lambda *_: False)
    found = Source("rows", "rows", Surroundings(), rows=[])
    with pytest.raises(OptionError, match=r"out\.jsonl: cannot be written: Permission denied"):
        staging_for([], found, [tmp_path / "out.jsonl"], tmp_path / "q.jsonl")
