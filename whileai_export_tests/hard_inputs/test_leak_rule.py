from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from whileai_export import export_dataset, leak_report

SAMPLES = Path(__file__).parents[3] / "shared" / "samples"
TAU = SAMPLES / "tau_bench_airline" / "airline.trajectories.jsonl"

pytestmark = pytest.mark.skipif(not SAMPLES.is_dir(), reason="../shared/samples is absent")


@pytest.mark.parametrize(
    ("source", "checked", "leaking"),
    [
        (SAMPLES / "simulations" / "shop_rl", 96, [0, 33, 50, 55, 60, 63, 75, 87, 94]),
        (SAMPLES / "simulations" / "bank_multi", 90, []),
        (TAU, 200, []),
    ],
    ids=["shop_rl", "bank_multi", "tau_bench"],
)
def test_the_rule_finds_the_rows_that_leak_and_no_other(source, checked, leaking):
    report = leak_report(source)
    assert report["n_checked"] == checked
    assert list(dict.fromkeys(finding["row"] for finding in report["leaked"])) == leaking
    assert report["n_leaked"] == len(leaking)


def test_a_sentence_quoted_from_a_long_text_is_found_in_200_of_200_rows(tmp_path):
    planted = tmp_path / "planted.jsonl"
    sentences = []
    with planted.open("w", encoding="utf-8") as file:
        for line in TAU.read_text("utf-8").split("\n")[:-1]:
            row = json.loads(line)
            instruction = row["privileged"]["hidden_state"]["instruction"]
            sentence = max(re.split(r"(?<=[.!?]) +", instruction), key=len)
            row["messages"].append({"role": "assistant", "content": f'I heard "{sentence}"'})
            file.write(json.dumps(row) + "\n")
            sentences.append(sentence)
    report = leak_report(planted)
    assert report["n_leaked"] == 200
    told = json.dumps(report)
    assert not any(sentence in told for sentence in sentences)
    kept = tmp_path / "kept.jsonl"
    with pytest.raises(ValueError, match="no row is left to write: 200 quarantined"):
        export_dataset(
            *(planted, tmp_path / "x.jsonl"),
            on_leak="quarantine",
            max_quarantined=1.0,
            quarantine=kept,
        )
