"""Modules of one's own that ``export.toml`` names, such as an adapter's, may stand beside it.

Runs start in folders of Dagster's choosing, so the folder of the call would not do.
"""

from __future__ import annotations

import sys
from pathlib import Path


def importable(home: Path) -> None:
    """Look for modules in the home too, last of all, so that none of them hides another."""
    place = str(home.resolve())
    if place not in sys.path:
        sys.path.append(place)
