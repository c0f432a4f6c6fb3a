from __future__ import annotations

from whileai_export.cli.told import listed_line, traced_lines


def test_a_version_that_cannot_be_read_says_why() -> None:
    entry = {"version": "v0001", "tags": ["prod"], "latest": True, "problem": "it was edited"}
    assert listed_line("support", entry) == (
        "support/v0001", "prod, LATEST", "it was edited", "", "")  # fmt: skip


def test_both_sides_of_a_pair_and_an_unknown_source_are_told() -> None:
    row = {"row_id": "a", "task": "t", "rollout": 1, "line": 4, "side": "chosen"}
    found = {
        "row_id": "p", "kind": "preference", "split": "train", "simulation": "desk",
        "simulation_sha256": "0" * 64, "task": "t", "places": [], "run_id": "r",
        "options": {"min_margin": 0.3, "tie": None, "on_leak": "refuse"}, "options_digest": "d",
        "steps": {"training_rows": {"options": {"on_leak": "quarantine", "unroll": False}}},
        "versions": ["v0001"],
        "sources": {"known": False, "why": "gone", "rows": [row]},
    }  # fmt: skip
    lines = dict(traced_lines(found))
    assert lines["chosen"] == "line 4, rollout 1 (row a)"
    assert lines["source"] == "not known: gone"
    assert lines["preference options"] == "d: min_margin=0.3"
    assert lines["training_rows options"] == "on_leak=quarantine"
    found["options"] = {f"option_{n:02}": n for n in range(20)}
    said = [text for _, text in traced_lines(found)]
    assert max(map(len, said)) <= 96
    assert said[6].endswith(", option_07=7,")
