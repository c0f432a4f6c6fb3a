"""The spool: what goes in comes out, and nothing of it has a name."""

from __future__ import annotations

import pytest

from whileai_export.io.spool import Spool
from whileai_export.shared.errors import OptionError


def test_lines_come_back_in_order_as_often_as_asked(tmp_path):
    lines = [b"line %d\n" % n for n in range(1000)]
    with Spool(tmp_path) as spool:
        for line in lines:
            spool.write(line)
        for _ in range(2):
            found = list(spool.blocks(100))
            assert b"".join(found) == b"".join(lines)
            assert all(block.endswith(b"\n") for block in found)
        assert spool.size == sum(map(len, lines))
        assert list(tmp_path.iterdir()) == []


def test_a_place_can_be_read_again(tmp_path):
    with Spool(tmp_path) as spool:
        places = [spool.write(b"one\n"), spool.write(b"three\n"), spool.write(b"five\n")]
        assert places == [0, 4, 10]
        assert spool.read(4, 5) == b"three"
        assert spool.write(b"seven\n") == 15
        assert b"".join(spool.blocks()) == b"one\nthree\nfive\nseven\n"


def test_a_line_of_any_length_is_kept_whole(tmp_path):
    with Spool(tmp_path) as spool:
        spool.write(b"x" * 1_000_000 + b"\nshort\n")
        assert [len(block) for block in spool.blocks(1000)] == [1_000_001, 6]


def test_an_empty_spool_has_no_blocks():
    with Spool() as spool:
        assert list(spool.blocks()) == []


def test_a_place_that_cannot_hold_it_is_told(tmp_path):
    with pytest.raises(OptionError, match="cannot be written"):
        Spool(tmp_path / "missing")


def test_closing_on_a_full_disk_hides_no_other_error(monkeypatch):
    class Full:
        def __init__(self, file):
            self.file = file

        def close(self):
            self.file.close()
            raise OSError(28, "No space left on device")

    spool = Spool()
    monkeypatch.setattr(spool, "_file", Full(spool._file))
    spool.close()
