from __future__ import annotations

import pytest

from whileai_export_tests.hard_inputs.__main__ import main
from whileai_export_tests.hard_inputs.contract import CONTRACT, digests
from whileai_export_tests.hard_inputs.index import shown_by, without_test
from whileai_export_tests.hard_inputs.rows import IDS, ROWS, shows


def test_every_kind_of_hard_input_has_a_test():
    assert without_test() == []


def test_every_kind_has_an_id_of_its_own():
    assert len(IDS) == len(ROWS)
    assert shown_by().keys() == IDS


def test_a_test_cannot_show_what_is_not_listed():
    with pytest.raises(ValueError, match="args-objekt"):
        shows("args-objekt")


def test_the_command_says_that_none_is_missing(capsys):
    assert main([]) == 0
    assert capsys.readouterr().out == f"rows without a test: none (of {len(ROWS)})\n"


@pytest.mark.skipif(not CONTRACT.is_file(), reason="../shared/HARD_INPUTS.md is absent")
def test_the_list_is_the_contracts():
    assert [row.digest for row in ROWS] == digests()
