from __future__ import annotations

import pytest

from whileai_export.shared.errors import SourceError
from whileai_export.shared.plain_name import plain_name


@pytest.mark.parametrize("name", ["a", "9", "night-2026.01_02", "A" * 128])
def test_a_plain_name_is_itself(name: str):
    assert plain_name(name) == name


@pytest.mark.parametrize(
    "name", ["", ".", "..", "a/b", "a\\b", "-a", "_a", "a ", "a\n", "a\0", "é", "A" * 129]
)
def test_any_other_name_is_refused(name: str):
    with pytest.raises(SourceError, match="simulation name: expected"):
        plain_name(name)
