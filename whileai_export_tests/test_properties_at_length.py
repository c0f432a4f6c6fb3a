from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROPERTIES = Path(__file__).with_name("test_properties.py")


@pytest.mark.slow
def test_every_property_holds_for_a_thousand_examples():
    command = [sys.executable, "-m", "pytest", "-q", "--hypothesis-profile", "thorough"]
    done = subprocess.run(
        [*command, str(PROPERTIES)],
        cwd=PROPERTIES.parents[1],
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:]
