from __future__ import annotations

import pickle

import pytest

from whileai_export.shared.errors import BadRow, ExportError, GateError, OptionError, SourceError


def test_a_source_error_says_where_what_and_how_many_more():
    error = SourceError("expected an object, got text", line=7, at="$.steps[1]", more=2)
    assert str(error) == (
        "line 7: expected an object, got text - at `$.steps[1]`"
        " (2 more rows like it cannot be read)"
    )
    assert (error.line, error.at) == (7, "$.steps[1]")
    assert str(SourceError("no rows")) == "no rows"


def test_a_gate_error_begins_with_its_code():
    error = GateError("privileged_leak", "2 of 3 rows", {"n": 3})
    assert str(error) == "privileged_leak: 2 of 3 rows"
    assert (error.code, error.report) == ("privileged_leak", {"n": 3})


@pytest.mark.parametrize("kind", [ExportError, SourceError, OptionError])
def test_every_refusal_has_a_report(kind):
    assert kind("no").report == {}
    assert isinstance(kind("no"), ValueError)
    assert GateError("code", "no").report == {}


def test_a_bad_row_never_reaches_the_user_as_a_refusal():
    assert not isinstance(BadRow("no"), ExportError)
    assert (BadRow("no").problem, BadRow("no").at) == ("no", "$")


def test_what_a_worker_raises_comes_back_as_it_was():
    error = pickle.loads(pickle.dumps(SourceError("no", line=3)))
    assert (str(error), error.line) == ("line 3: no", 3)
