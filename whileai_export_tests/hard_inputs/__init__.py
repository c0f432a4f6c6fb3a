"""Every kind of hard input, by a short name, with the tests that show what becomes of it.

``python -m whileai_export_tests.hard_inputs`` prints the kinds that no test shows: none.
"""
