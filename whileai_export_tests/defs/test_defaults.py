from whileai_export.defs.defaults import ASSETS, CONFIGS, DEFAULTS, PAIRS, ROWS, SFT


def test_what_is_published_refuses_rows_that_should_have_passed():
    for policy in (SFT.policy, PAIRS.policy):
        assert (policy.validate, policy.on_bad_row, policy.on_leak) == (True, "refuse", "refuse")
    assert ROWS.policy.on_bad_row == "quarantine"


def test_every_step_has_a_dialog():
    assert ASSETS == ("graded_simulations", "training_rows", "sft_jsonl", "preference_jsonl")
    assert tuple(CONFIGS) == tuple(DEFAULTS) == ASSETS
