from __future__ import annotations

import shutil

from whileai_export.versions import cut
from whileai_export.versions.lost import lost_line
from whileai_export_tests.versions.homes import Home, rows

AGAIN = "whileai-export run shop"


def two(home: Home) -> None:
    home.add("shop", rows(2))
    home.export("shop")
    home.cut()


def test_a_version_says_what_it_lost_and_why(home: Home) -> None:
    two(home)
    made = cut(home.path, None, home.parts(shop="it was refused"))
    assert (made.version, made.lost) == (
        "v0002",
        [
            {
                "simulation": "shop",
                "kinds": ["sft", "preference"],
                "whole": True,
                "reason": "it was refused",
                "waits": False,
            }
        ],
    )
    assert lost_line("v0002", "v0001", made.lost[0], AGAIN) == (
        "v0002 has no shop, which v0001 had: it was refused;"
        " this runs it again and says what helps: whileai-export run shop"
    )


def test_one_kind_of_rows_can_be_lost_alone(home: Home) -> None:
    two(home)
    parts = [part for part in home.parts() if (part.simulation, part.kind) != ("shop", "sft")]
    (entry,) = cut(home.path, None, parts).lost
    assert (entry["kinds"], entry["whole"]) == (["sft"], False)
    assert lost_line("v0002", "v0001", {**entry, "waits": True}, AGAIN) == (
        "v0002 has no rows of shop, which v0001 had: it is no partition of the dataset any more"
    )


def test_a_loss_is_said_again_until_another_version_is_cut(home: Home) -> None:
    two(home)
    cut(home.path, None, home.parts(shop="it was refused"))
    again = cut(home.path, None, home.parts(shop="it was refused again"))
    assert (again.version, again.new) == ("v0002", False)
    assert [(e["simulation"], e["reason"]) for e in again.lost] == [
        ("shop", "it was refused again")
    ]
    shutil.rmtree(home.shelf.folder("v0001"))
    assert cut(home.path, None, home.parts(shop="it was refused")).lost == []
    assert home.cut().lost == []


def test_what_the_version_before_had_not_is_no_loss(home: Home) -> None:
    assert home.cut().lost == []
    home.add("shop", rows(2))
    home.export("shop")
    assert home.cut().lost == []
    assert home.cut().lost == []
