from __future__ import annotations

import pytest

from whileai_export.shared.errors import OptionError
from whileai_export.versions import show, tag
from whileai_export_tests.versions.homes import Home


def test_a_tag_moves_and_every_move_is_logged(home: Home) -> None:
    home.cut()
    home.export("desk", formats=("trl",))
    home.cut()
    tag(home.shelf, "v0001", "prod")
    assert tag(home.shelf, "LATEST", "prod")["was"] == "v0001"
    assert (show(home.shelf, "v0001")["tags"], show(home.shelf, "prod")["tags"]) == ([], ["prod"])
    assert len(home.shelf.moves.path.read_text().splitlines()) == 2


@pytest.mark.parametrize("name", ["", "v0001", "latest", "a/b", "-x", "a\n"])
def test_a_name_that_cannot_be_a_tag_is_refused(home: Home, name: str) -> None:
    home.cut()
    with pytest.raises(OptionError, match="tag: expected 1 to 64"):
        tag(home.shelf, "v0001", name)
