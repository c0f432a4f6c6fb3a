from __future__ import annotations

from whileai_export.versions import listed, show, tag
from whileai_export_tests.versions.homes import Home, edit, rows


def test_versions_are_listed_with_their_counts_and_tags(home: Home) -> None:
    home.cut()
    home.add("desk", rows(5))
    home.export("desk")
    home.cut()
    tag(home.shelf, "v0001", "prod")
    found = listed(home.shelf)
    assert [(v["version"], v["latest"], v["tags"], v["parent"]) for v in found] == [
        ("v0001", False, ["prod"], None),
        ("v0002", True, [], "v0001"),
    ]
    assert [v["counts"]["sft"]["rows"] for v in found] == [4, 5]


def test_a_version_that_cannot_be_read_says_why_in_the_list(home: Home) -> None:
    edit(home.cut().folder / "manifest.json", b"{}")
    (found,) = listed(home.shelf)
    assert found["problem"] == "v0001/manifest.json: expected a manifest, got a damaged file"


def test_a_version_is_shown_in_full(home: Home) -> None:
    made = home.cut()
    assert show(home.shelf, "LATEST") == {**made.manifest, "tags": [], "latest": True}
