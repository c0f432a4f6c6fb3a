from __future__ import annotations

from whileai_export.defs.version_metadata import check_results
from whileai_export.versions.verify import Verified


def test_problems_are_named_and_bounded() -> None:
    many = tuple(f"file {n}: it is gone" for n in range(30))
    sums, splits = check_results(Verified("v0001", 2, 8, many, ("t1",)))
    assert (sums.passed, splits.passed) == (False, False)
    assert sums.description == "file 0: it is gone; file 1: it is gone; file 2: it is gone"
    assert len(sums.metadata["problems"].value) == 20
    assert splits.description == "t1"


def test_an_intact_version_passes() -> None:
    sums, splits = check_results(Verified("v0001", 2, 8, (), ()))
    assert (sums.passed, splits.passed) == (True, True)
    assert sums.description == "2 files, 8 rows, as the manifest says"
