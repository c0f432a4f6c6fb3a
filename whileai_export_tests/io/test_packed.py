"""Packed files: by suffix, whole or refused, the same bytes every time."""

from __future__ import annotations

import gzip
import sys
import time
import tracemalloc
from pathlib import Path

import pytest
import zstandard

from whileai_export.io.packed import is_packed, packer, unpacked
from whileai_export.shared.errors import OptionError, SourceError

CONTENT = b'{"a":"caf\xc3\xa9"}\n' * 5000
PACK = {".gz": gzip.compress, ".zst": zstandard.compress, "": bytes}


def read(path: Path) -> bytes:
    with unpacked(path) as stream:
        return stream.read()


@pytest.mark.parametrize("suffix", [".gz", ".zst", ""])
def test_a_file_is_unpacked_by_its_suffix(tmp_path, suffix):
    path = tmp_path / f"rows.jsonl{suffix}"
    path.write_bytes(PACK[suffix](CONTENT))
    assert read(path) == CONTENT
    assert is_packed(path) is (suffix != "")


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_members_in_a_row_are_one_file(tmp_path, suffix):
    path = tmp_path / f"rows.jsonl{suffix}"
    path.write_bytes(PACK[suffix](b"one\n") + PACK[suffix](b"") + PACK[suffix](b"two\n"))
    assert read(path) == b"one\ntwo\n"


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
@pytest.mark.parametrize("kept", [0.3, 0.9, -1])
def test_a_torn_file_is_refused_by_name(tmp_path, suffix, kept):
    path = tmp_path / f"rows.jsonl{suffix}"
    whole = PACK[suffix](CONTENT)
    path.write_bytes(whole[: int(len(whole) * kept) if kept > 0 else kept])
    with pytest.raises(SourceError) as caught:
        read(path)
    assert str(caught.value) == f"{path}: expected a whole {suffix} file, got a damaged or torn one"


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_bytes_that_are_not_packed_are_refused(tmp_path, suffix):
    path = tmp_path / f"rows.jsonl{suffix}"
    path.write_bytes(b'{"a":1}\n')
    with pytest.raises(SourceError, match="got a damaged or torn one"):
        read(path)


def test_a_small_file_that_unfolds_into_much_is_not_held_at_once(tmp_path):
    path = tmp_path / "rows.jsonl.zst"
    path.write_bytes(zstandard.compress(b"\0" * 100_000_000))
    tracemalloc.start()
    with unpacked(path) as stream:
        assert len(stream.read(1000)) == 1000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40_000_000


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_the_same_bytes_give_the_same_file(monkeypatch, suffix):
    def packed() -> bytes:
        found = packer(Path(f"a{suffix}"))
        return found.compress(CONTENT[:1000]) + found.compress(CONTENT[1000:]) + found.flush()

    first = packed()
    monkeypatch.setattr(time, "time", lambda: 2_000_000_000)
    assert packed() == first
    if suffix == ".gz":
        assert gzip.decompress(first) == CONTENT
    else:
        assert zstandard.decompress(first, len(CONTENT)) == CONTENT


def test_a_plain_suffix_asks_for_no_packing():
    assert packer(Path("rows.jsonl")) is None


def test_zst_without_its_package_names_the_extra(tmp_path, monkeypatch):
    path = tmp_path / "rows.jsonl.zst"
    path.write_bytes(zstandard.compress(CONTENT))
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(OptionError, match="install whileai-export\\[zst\\]"):
        read(path)
    with pytest.raises(OptionError, match="install whileai-export\\[zst\\]"):
        packer(path)
