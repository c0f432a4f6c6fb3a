"""Which tests show which kinds, read off the tests' own text."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from whileai_export_tests.hard_inputs.rows import ROWS, HardInput

TESTS = Path(__file__).parents[1]


def shown_by() -> dict[str, list[str]]:
    """For every id the tests that show it, as pytest names them."""
    found: dict[str, list[str]] = {row.id: [] for row in ROWS}
    for file in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for id_ in _shown(node):
                    place = file.relative_to(TESTS.parent).as_posix()
                    found.setdefault(id_, []).append(f"{place}::{node.name}")
    return found


def without_test() -> list[HardInput]:
    """The kinds that no test shows."""
    tests = shown_by()
    return [row for row in ROWS if not tests[row.id]]


def _shown(node: ast.FunctionDef) -> Iterator[str]:
    for mark in node.decorator_list:
        if isinstance(mark, ast.Call) and getattr(mark.func, "id", "") == "shows":
            yield from (str(ast.literal_eval(argument)) for argument in mark.args)
