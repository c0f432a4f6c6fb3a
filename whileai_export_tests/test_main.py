from __future__ import annotations

import subprocess
import sys

import pytest

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
