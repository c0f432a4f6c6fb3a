from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from whileai_export.pipeline.records import read_record, record_bytes, write_private
from whileai_export.shared.errors import SourceError


def test_a_record_is_private_and_reads_back(tmp_path: Path):
    path = tmp_path / "refusals" / "sft_jsonl" / "a.json"
    write_private(path, {"code": "é"})
    assert read_record(path) == {"code": "é"}
    assert [path.name for path in path.parent.iterdir()] == ["a.json"]
    modes = [stat.S_IMODE(p.stat().st_mode) for p in (path, path.parent, path.parent.parent)]
    assert modes == [0o600, 0o700, 0o700]


def test_what_a_killed_run_left_of_a_record_goes_with_the_next(tmp_path: Path):
    crash = "os.replace = lambda *_: os.kill(os.getpid(), 9)"
    write = "records.write_private(Path(sys.argv[1]), {})"
    imports = (
        "import os, sys; from pathlib import Path; from whileai_export.pipeline import records"
    )
    code = "; ".join((imports, crash, f"Path.replace = os.replace; {write}"))
    here = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-c", code, tmp_path / "a.json"], cwd=here, check=False)
    assert len(list(tmp_path.iterdir())) == 1
    write_private(tmp_path / "a.json", {})
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_no_file_is_no_record(tmp_path: Path):
    assert read_record(tmp_path / "a.json") is None


@pytest.mark.parametrize(
    "content", ["", "{", "[]", "[" * 100_000, '{"counts": 5}', '{"options": null}']
)
def test_a_damaged_record_is_refused_by_name(tmp_path: Path, content: str):
    path = tmp_path / "a.json"
    path.write_text(content, "utf-8")
    with pytest.raises(SourceError, match=r"a\.json: expected a JSON object"):
        read_record(path)


def test_a_record_that_cannot_be_read_is_refused_by_name(tmp_path: Path):
    (tmp_path / "a.json").mkdir()
    with pytest.raises(SourceError, match=r"a\.json: cannot be read: Is a directory"):
        read_record(tmp_path / "a.json")


def test_nan_is_no_record():
    with pytest.raises(ValueError, match="not JSON compliant"):
        record_bytes({"margin": float("nan")})
