from __future__ import annotations

import pytest

from whileai_export_tests.fuzz.__main__ import main
from whileai_export_tests.fuzz.mutant import mutant


def test_the_same_seed_and_number_make_the_same_mutant():
    assert mutant(1, 7).data == mutant(1, 7).data
    assert mutant(1, 7).data != mutant(2, 7).data


def test_damaged_simulations_are_exported_or_refused_and_nothing_else(capsys):
    assert main(["--mutants", "60", "--seed", "7"]) == 0
    closing = capsys.readouterr().out.splitlines()[-1]
    assert closing.startswith("60 mutants, seed 7: 780 exports, ")
    assert "0 foreign exceptions, 0 invalid outputs" in closing


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["1", "2"])
def test_two_thousand_mutants_of_each_seed_hold(seed):
    assert main(["--mutants", "2000", "--seed", seed, "--seconds", "900"]) == 0
