"""Modules of one's own that ``export.toml`` names, such as an adapter's, may stand beside it.

Runs start in folders of Dagster's choosing, so the folder of the call would not do.
"""

from __future__ import annotations

import hashlib
import sys
from importlib.util import find_spec
from pathlib import Path


def file_digest(named: str, home: Path) -> str:
    """What the file of ``pkg.mod:fn`` holds, in a word; another where there is no such file."""
    importable(home)
    try:
        spec = find_spec(named.partition(":")[0])
        source = Path(spec.origin or "").read_bytes() if spec is not None else b""
    except Exception:  # a package is run to find what is in it
        source = b""
    return hashlib.sha256(source).hexdigest()[:16]


def importable(home: Path) -> None:
    """Look for modules in the home too, last of all, so that none of them hides another."""
    place = str(home.resolve())
    if place not in sys.path:
        sys.path.append(place)
