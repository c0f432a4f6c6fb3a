"""Real simulations, damaged at random, exported through every door.

``python -m whileai_export_tests.fuzz --mutants 20000 --seed 1``. A mutant is made of the seed and
its number alone, so ``--seed 1 --first 1234 --mutants 1`` makes that one again.
"""
