"""The careful defaults of the Dagster project and the command line.

The library does what was documented and nothing more; people who want a good dataset get
selection, exact deduplication and quarantine without asking, and a report of what that did.
"""

from __future__ import annotations

from whileai_export.shared.options import PairOptions, Policy, Selection, SftOptions

#: Columns published beside a format's own, where the format allows any.
PUBLISHED = ("row_id", "task", "reward")
PUBLISHED_PAIRS = ("row_id", "task", "chosen_score", "rejected_score", "margin")

_POLICY = Policy(on_bad_row="quarantine", on_leak="refuse", max_quarantined=0.05)

CAREFUL_SFT = SftOptions(
    formats=("openai", "trl"),
    columns=PUBLISHED,
    policy=_POLICY,
    selection=Selection(min_reward=0.5, drop_failed=True, dedupe=True, trim_tail=True),
)

CAREFUL_PAIRS = PairOptions(
    formats=("openai", "trl"),
    columns=PUBLISHED_PAIRS,
    min_margin=0.3,
    policy=_POLICY,
    selection=Selection(min_reward=0.5, drop_failed=True, trim_tail=True),
)

#: Options of the private canonical rows: nothing stripped, masked, capped or selected.
STAGED_ROWS = SftOptions(strip_think=False, policy=_POLICY)
