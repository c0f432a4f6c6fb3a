from __future__ import annotations

from whileai_export.shared.watching import watched, watcher_of


def test_nobody_watches_unless_somebody_asks_to():
    assert watcher_of("training_rows") is None
    with watched(None):
        assert watcher_of("training_rows") is None


def test_who_asks_is_told_of_every_step_until_the_end():
    told: list[tuple[str, int]] = []
    with watched(lambda step: lambda rows, done, total: told.append((step, rows))):
        for step in ("training_rows", "sft_jsonl"):
            watcher = watcher_of(step)
            assert watcher is not None
            watcher(512, 0, None)
    assert told == [("training_rows", 512), ("sft_jsonl", 512)]
    assert watcher_of("training_rows") is None
