"""A home for every test, with one simulation of four tasks published in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from whileai_export_tests.versions.homes import Home, rows


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path)
    home.add("desk", rows())
    home.export("desk")
    return home
