import pytest

from whileai_export.defs.lines_of import line_of

TEXT = """\
# decisions
[defaults]
min_reward = 0.5

[ dataset . support ]   # ours
"on_leak" = "refuse"
min_reward=0.7
"""


@pytest.mark.parametrize(
    ("table", "key", "line"),
    [
        ("defaults", "min_reward", 3),
        ("dataset.support", "min_reward", 7),
        ("dataset.support", "on_leak", 6),
        ("dataset.support", None, 5),
        ("defaults", "on_leak", None),
        ("nightly", None, None),
    ],
)
def test_a_key_stands_on_its_line(table: str, key: str | None, line: int | None):
    assert line_of(TEXT, table, key) == line
