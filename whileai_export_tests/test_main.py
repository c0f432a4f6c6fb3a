from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import whileai_export
from whileai_export.__main__ import main


def test_help_ends_well(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    assert "Graded agent simulations in" in capsys.readouterr().out


def test_it_runs_as_a_module():
    done = subprocess.run(
        [sys.executable, "-m", "whileai_export", "--help"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "Exit codes: 0 done, 1 refused by a gate" in done.stdout


@pytest.mark.parametrize("safe", [False, True])
def test_an_adapter_may_stand_in_the_folder_of_the_call(tmp_path: Path, safe: bool):
    (tmp_path / "mine.py").write_text(
        "def read(row):\n    return {'prompt': row['q'], 'final_text': row['a'], 'reward': 1.0}\n"
    )
    (tmp_path / "own.jsonl").write_text('{"q": "Where is A7?", "a": "In Ghent."}\n')
    # As the installed command begins: this folder does not stand in the path.
    gone = "import sys; sys.flags.safe_path or sys.path.pop(0)"
    begun = f"{gone}; from whileai_export.__main__ import main; main()"
    flags = ["-P"] if safe else []
    done = subprocess.run(
        [sys.executable, *flags, "-c", begun, "check", "own.jsonl", "--adapter", "mine:read"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(whileai_export.__file__).parents[1])},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    expected = "adapter: module 'mine' cannot be imported" if safe else "own.jsonl: 1 row"
    assert expected in done.stdout + done.stderr
