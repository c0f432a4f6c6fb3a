from __future__ import annotations

import pytest

from whileai_export.cli import wording

PLACES = "the row, profile.json or the sidecar"


@pytest.mark.parametrize(
    ("library", "typed", "to_set"),
    [
        (
            f"2 pairs have no system prompt (from the option system_prompt, {PLACES})",
            "2 pairs have no system prompt (give --system-prompt FILE)",
            "2 pairs have no system prompt (add it again with --system-prompt FILE --replace)",
        ),
        (
            f"2 rows have no tool schemas (from the option tools, {PLACES})",
            "2 rows have no tool schemas (give --tools FILE)",
            "2 rows have no tool schemas (add it again with --tools FILE --replace)",
        ),
        (
            "1 row was cut off or failed before it ended (drop_failed)",
            "1 row was cut off or failed before it ended (--drop-failed leaves them out)",
            "1 row was cut off or failed before it ended (--set drop_failed=true leaves them out)",
        ),
        (
            'To leave these rows out: on_bad_row="quarantine", max_quarantined=0.4',
            "To leave these rows out: --on-bad-row quarantine --max-quarantined 0.4",
            "To leave these rows out: --set on_bad_row=quarantine --set max_quarantined=0.4",
        ),
    ],
)
def test_warnings_are_in_the_words_of_the_command(library: str, typed: str, to_set: str):
    assert (wording.typed(library), wording.to_set(library)) == (typed, to_set)


@pytest.mark.parametrize(
    ("library", "typed"),
    [
        (
            "max_tokens: expected tokenizer=, the file that counts them, got none",
            "--max-tokens: expected --tokenizer FILE, the file that counts them, got none",
        ),
        ("format: expected at least one", "--format: expected at least one"),
        ("runs.jsonl: expected rows", "runs.jsonl: expected rows"),
        ("line: 3", "line: 3"),
        (
            "expected a trajectory, got a preference pair (export_preference takes those)",
            "expected a trajectory, got a preference pair, which nothing is exported from",
        ),
    ],
)
def test_an_option_is_named_as_it_is_typed(library: str, typed: str):
    assert wording.option(library) == typed
