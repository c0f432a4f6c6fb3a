from __future__ import annotations

from whileai_export.pipeline.job import Job
from whileai_export.pipeline.passage import Passage
from whileai_export.shared.errors import BadRow
from whileai_export.shared.findings import Finding
from whileai_export.shared.options import Policy, SftOptions
from whileai_export.shared.schema import Surroundings
from whileai_export.shared.tally import Tally

LEAK = Finding("privileged_leak", "$.messages[1].content", "quotes 24 characters")
CALL = Finding("tool_call_roundtrip", "$.messages[1]", "expected an object, got text")


def passage(**policy: str) -> Passage:
    job = Job(SftOptions(policy=Policy(**policy)), Surroundings())
    return Passage(job, Tally(), [])


def test_what_cannot_be_read_is_found_and_kept_out():
    made = passage(on_bad_row="quarantine")
    made.refuse(BadRow("expected text, got null", "$.prompt"), {"prompt": 7}, 2, 5, side=4)
    assert made.tally.quarantined == 1
    (named,) = made.tally.gate("readable").named
    assert (named.row, named.line, named.at) == (4, 5, "$.prompt")
    assert [(u.row, u.line, u.raw) for u in made.unfit] == [(2, 5, {"prompt": 7})]


def test_what_keeps_a_row_out_is_named_first():
    made = passage(on_leak="quarantine")
    made.keep_out([CALL, LEAK], b"{}", 0, 1)
    assert [finding.gate for finding in made.unfit[0].findings] == [
        "privileged_leak",
        "tool_call_roundtrip",
    ]


def test_where_rows_are_refused_none_is_kept():
    made = passage()
    made.keep_out([LEAK], b"{}", 0, 1)
    assert (made.tally.quarantined, made.unfit) == (1, [])
