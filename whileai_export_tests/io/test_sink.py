"""One file on its way: packed by suffix, hashed as it is on the disk."""

from __future__ import annotations

import gzip
import hashlib

import pytest
import zstandard

from whileai_export.io.sink import Sink
from whileai_export.shared.errors import ExportError

ROW = b'{"a":"caf\xc3\xa9"}\n'


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.jsonl.gz", "rows.jsonl.zst"])
def test_the_digest_is_that_of_the_bytes_on_the_disk(tmp_path, name):
    sink = Sink(tmp_path / name)
    for _ in range(1000):
        sink.write(ROW)
    sink.finish()
    assert sink.path.stat().st_size == sink.size
    assert hashlib.sha256(sink.path.read_bytes()).hexdigest() == sink.sha256
    sink.publish()
    found = (tmp_path / name).read_bytes()
    assert len(found) == sink.size
    plain = {
        ".gz": gzip.decompress,
        ".zst": lambda data: zstandard.decompress(data, len(ROW) * 1000),
    }.get((tmp_path / name).suffix, bytes)(found)
    assert plain == ROW * 1000


def test_the_same_rows_make_the_same_packed_file(tmp_path):
    files = [tmp_path / "a.jsonl.gz", tmp_path / "b.jsonl.gz"]
    for file in files:
        sink = Sink(file)
        sink.write(ROW)
        sink.publish()
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_discarded_file_leaves_nothing(tmp_path):
    sink = Sink(tmp_path / "rows.jsonl")
    sink.write(ROW)
    sink.discard()
    sink.discard()
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_is_refused(tmp_path):
    sink = Sink(tmp_path / "rows.jsonl.zst")
    sink.write(b"")
    with pytest.raises(ExportError) as caught:
        sink.finish()
    assert str(caught.value) == (
        f"{tmp_path / 'rows.jsonl.zst'}: nothing was written to it; an empty file is no dataset"
    )
    sink.discard()


def test_a_file_knows_which_path_it_is_for(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sink = Sink(tmp_path / "rows.jsonl")
    assert [sink.is_for(path) for path in ("rows.jsonl", "other.jsonl", None)] == [
        True,
        False,
        False,
    ]
    sink.discard()
