"""Writes the golden files anew, to be read before they are kept."""

from __future__ import annotations

import tempfile
from pathlib import Path

from whileai_export_tests.golden.files import CASES, FOLDER, made

if __name__ == "__main__":
    for case in CASES:
        with tempfile.TemporaryDirectory() as scratch:
            (FOLDER / case).write_bytes(made(case, Path(scratch)))
