"""Prints the kinds of hard input that no test shows; with ``--all`` every kind and its tests."""

from __future__ import annotations

import sys

from whileai_export_tests.hard_inputs.index import shown_by, without_test
from whileai_export_tests.hard_inputs.rows import ROWS


def main(arguments: list[str]) -> int:
    """0 where every kind has a test."""
    if "--all" in arguments:
        tests = shown_by()
        for row in ROWS:
            print(f"{row.id}: {row.name}", *tests[row.id], sep="\n  ")
    missing = without_test()
    for row in missing:
        print(f"{row.id}: {row.name}")
    print(f"rows without a test: {len(missing) or 'none'} (of {len(ROWS)})")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
