from __future__ import annotations

import json

import pytest

from whileai_export.pipeline.nameless import without_private
from whileai_export.pipeline.sides import Match
from whileai_export.shared.errors import BadRow

WORD = "hunter2_passphrase"
ROW = {"messages": [], "privileged": {"password": WORD}}
LINE = json.dumps(ROW).encode()
PAIR = {"chosen": ROW, "rejected": {"messages": []}}


@pytest.mark.parametrize(
    "raw",
    [
        ROW,
        LINE,
        PAIR,
        json.dumps(PAIR).encode(),
        Match(LINE, b"{}", (0, 1)),
        Match(b"{}", LINE, (0, 1)),
    ],
    ids=["row", "line", "pair", "line_of_a_pair", "chosen", "rejected"],
)
def test_a_name_that_is_private_is_not_said(raw: object):
    said = without_private(BadRow(f"expected a role, got {WORD!r}", "$.messages[0].role"), raw)
    assert said == ("$.messages[0].role", "expected a role, got another")
    said = without_private(BadRow("expected JSON, got a Python set", f"$.arguments.{WORD}"), raw)
    assert said == ("$", "expected JSON, got a Python set")
    assert (
        without_private(BadRow(f"{WORD} is no role"), raw)[1] == "expected a row that can be read"
    )


@pytest.mark.parametrize("raw", [ROW, b"{", b"[1]", {"messages": []}, None, {"privileged": 7}])
def test_other_names_are_said(raw: object):
    bad = BadRow("expected a role, got 'narrator'", "$.messages[0].role")
    assert without_private(bad, raw) == ("$.messages[0].role", "expected a role, got 'narrator'")


def test_a_long_place_is_cut():
    at, _ = without_private(BadRow("too deep", "$" + ".key" * 900), {})
    assert at == "$" + ".key" * 39 + ".ke..."


@pytest.mark.parametrize("block", [{None: "x"}, {"a": {1, 2}}, {"a": {"b": object()}}])
def test_where_the_block_cannot_be_read_no_name_is_said(block: object):
    bad = BadRow("expected a role, got 'narrator'", "$.messages[0].role")
    assert without_private(bad, {"privileged": block}) == ("$", "expected a role, got another")
