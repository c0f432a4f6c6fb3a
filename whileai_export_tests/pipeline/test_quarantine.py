from __future__ import annotations

import json

from whileai_export.io.staging import Staging
from whileai_export.pipeline.part import Unfit
from whileai_export.pipeline.quarantine import Quarantine
from whileai_export.shared.findings import Finding

LEAK = Finding("privileged_leak", "$.messages[1]", "quotes 9 characters", 4, 5, "note", 9)
LATE = Finding("structure", "$.messages", "expected turns", 4, 5)


def kept(folder, *raws: object) -> list[dict]:
    with Staging() as staging:
        quarantine = Quarantine(staging, folder / "q.jsonl")
        for raw in raws:
            quarantine.keep(Unfit((LEAK, LATE), raw, 4, 5))
        staging.publish()
    return [json.loads(line) for line in (folder / "q.jsonl").read_text("utf-8").splitlines()]


def test_a_row_is_kept_with_place_gate_and_reason(tmp_path):
    assert kept(tmp_path, b'{"a": 1}') == [
        {
            "row": 4,
            "line": 5,
            "gate": "privileged_leak",
            "at": "$.messages[1]",
            "problem": "quotes 9 characters",
            "findings": [LEAK.plain(), LATE.plain()],
            "source": {"a": 1},
        }
    ]
    assert (tmp_path / "q.jsonl").stat().st_mode & 0o777 == 0o600


def test_whatever_came_is_kept_whole(tmp_path):
    rows = kept(tmp_path, b"{torn\xff", {"when": {1}}, 7, "a\u2028b")
    assert [row["source"] for row in rows] == ["{torn\udcff", {"when": "{1}"}, 7, "a\u2028b"]


def test_without_a_path_nothing_is_kept(tmp_path):
    with Staging() as staging:
        quarantine = Quarantine(staging, None)
        quarantine.keep(Unfit((LEAK,), 7, 4, 5))
        assert quarantine.former() == ()


def test_a_file_of_a_former_run_is_named_where_no_row_came(tmp_path):
    with Staging() as staging:
        quarantine = Quarantine(staging, tmp_path / "q.jsonl")
        assert quarantine.former() == (tmp_path / "q.jsonl",)
        quarantine.keep(Unfit((LEAK,), 7, 4, 5))
        assert quarantine.former() == ()
