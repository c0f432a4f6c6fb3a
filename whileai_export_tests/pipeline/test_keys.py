from __future__ import annotations

import ast
from pathlib import Path

import whileai_export
from whileai_export.pipeline.keys import READ, keys_of

ROOT = Path(whileai_export.__file__).parent


def test_keys_that_nothing_reads_are_counted_the_most_frequent_first(tmp_path: Path):
    file = tmp_path / "runs.jsonl"
    file.write_text(
        '{"messages": [], "trial": 1}\n{"messages": [], "trial": 2, "score": 0.5}\n'
        '[1]\n\n{torn\n{"reward": 1, "rollout_index": 0, "a whole sentence": 1}\n',
        "utf-8",
    )
    keys = keys_of(str(file))
    assert keys.unread == {"trial": 2, "score": 1}
    assert (keys.rows, keys.lacking("rollout_index"), keys.lacking("trial")) == (3, 2, 1)


def test_rows_in_memory_are_looked_at_too():
    assert keys_of([{"prompt": "q", "grade": 1}, 7]).unread == {"grade": 1}


def test_every_key_that_is_read_of_a_row_is_known():
    read = {
        node.args[0].value
        for file in (ROOT / "core").glob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "get"
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "row"
        and isinstance(node.args[0], ast.Constant)
    }
    assert {"messages", "reward", "privileged", "opener"} <= read <= READ
