"""Published folders through ``load_dataset``: they load, and every value is the one written."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from whileai_export import export_dataset
from whileai_export.demo import parcel_desk, workshop_desk
from whileai_export.pipeline.reload import check_folder
from whileai_export.shared.careful import CAREFUL_SFT
from whileai_export.shared.errors import GateError
from whileai_export.shared.options import PREFERENCE_FORMATS, Policy
from whileai_export_tests.consumers.published import KEPT, pairs, rows_of, sft
from whileai_export_tests.consumers.trainers import loaded, needs_loader, offline

pytestmark = needs_loader
SAMPLES = Path(__file__).parents[3] / "shared" / "samples"
QUARANTINE = Policy(on_bad_row="quarantine", on_leak="quarantine", max_quarantined=0.1)
SOURCES: dict[str, Any] = {
    "workshop": workshop_desk(),
    "parcels": parcel_desk(),
    "bank_multi": SAMPLES / "simulations" / "bank_multi",
    "shop_rl": SAMPLES / "simulations" / "shop_rl",
    "tau_bench": SAMPLES / "tau_bench_airline" / "airline.trajectories.jsonl",
    "nemo_gym": SAMPLES / "nemo_gym" / "example_multi_step.rollouts.jsonl",
}


@pytest.fixture(autouse=True)
def no_network(tmp_path: Path) -> None:
    offline(tmp_path / "cache")


@pytest.fixture(params=SOURCES)
def source(request: pytest.FixtureRequest) -> object:
    found = SOURCES[request.param]
    if isinstance(found, Path) and not found.exists():
        pytest.skip(f"{found} is not there")
    return found


def test_every_format_of_training_rows_loads_as_it_was_written(tmp_path: Path, source: object):
    chosen = {"policy": QUARANTINE, "selection": KEPT, "columns": None}
    sft(source, tmp_path, ["openai", "trl", "trl-completion", "fireworks", "kto"], **chosen)
    seen, how = check_folder(tmp_path)
    assert how.startswith("loaded with datasets ")
    assert seen.named == []
    written = sum(len(rows_of(path)) for path in tmp_path.glob("*.jsonl"))
    assert seen.checked == written > 0


def test_every_format_of_pairs_loads_as_it_was_written(tmp_path: Path):
    pairs(workshop_desk(), tmp_path, PREFERENCE_FORMATS)
    seen, _ = check_folder(tmp_path)
    assert (seen.checked, seen.named) == (4 * 11, [])


def test_the_snippet_of_a_card_runs_in_its_folder(tmp_path: Path):
    sft(workshop_desk(), tmp_path, ["openai", "trl"])
    (snippet,) = re.findall(r"```python\n(.*?)```", (tmp_path / "README.md").read_text(), re.DOTALL)
    # The trainer's own line needs the trainer; that it is spelled right is shown elsewhere.
    lines = [line for line in snippet.splitlines() if "trl import" not in line]
    code = "\n".join([line for line in lines if "Config" not in line] + ["print(len(rows))"])
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert int(done.stdout.split()[-1]) == len(rows_of(tmp_path / "sft.trl.jsonl"))


def test_the_snippet_of_a_report_loads_the_file_that_was_written(tmp_path: Path):
    report = export_dataset(workshop_desk(), tmp_path / "train.jsonl", format="openai")
    done = subprocess.run(
        [sys.executable, "-c", f"{report['load']}\nprint(len(rows))"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert int(done.stdout.split()[-1]) == report["n_written"]


def late(rows: int = 3600) -> list[dict[str, Any]]:
    """Plain chats, 12 MB of them, and at the end a row with everything that comes late."""
    filler = "The answer is long and plain. " * 110
    plain = [
        {
            "scenario_id": f"s-{n}",
            "reward": 1,
            "lineage": {"run": n},
            "messages": [
                {"role": "user", "content": f"Question {n}?"},
                {"role": "assistant", "content": f"{n}. {filler}"},
            ],
        }
        for n in range(rows)
    ]
    call = {"id": "a", "name": "track", "arguments": {"order": None, "when": "2024-01-01"}}
    surprise = {
        "scenario_id": "last",
        "reward": 0.75,
        "lineage": {"run": None, "late": {"new": 1}},
        "faults": ["007"],
        "messages": [
            {"role": "user", "content": "Where is it?"},
            {"role": "assistant", "content": "", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "a", "content": "2024-01-02"},
            {"role": "assistant", "content": "On its way."},
        ],
        "tools": [{"type": "function", "function": {"name": "track"}}],
    }
    return [*plain, surprise]


def test_what_comes_after_the_first_chunk_loads_by_the_card(tmp_path: Path):
    sft(late(), tmp_path, ["openai", "trl"], columns=None)
    assert (tmp_path / "sft.trl.jsonl").stat().st_size > 12 << 20
    seen, _ = check_folder(tmp_path)
    assert (seen.checked, seen.named) == (2 * 3601, [])
    last = loaded(tmp_path, "trl")[-1]
    assert last["messages"][1]["tool_calls"][0]["function"]["arguments"] == {
        "order": None,
        "when": "2024-01-01",
    }


def test_without_its_features_the_gate_reports_it(tmp_path: Path):
    sft(late(), tmp_path, ["trl"], columns=None)
    card = tmp_path / "README.md"
    text = card.read_text("utf-8")
    bare = re.sub(r"dataset_info:\n.*?(?=---)", "", text, count=1, flags=re.DOTALL)
    assert bare != text
    card.write_text(bare, "utf-8")
    seen, _ = check_folder(tmp_path)
    assert seen.count > 0
    assert seen.named[0].problem.startswith("expected a dataset, got ")


def dates(tmp_path: Path) -> Path:
    """A file of one-message completions that all look like dates."""
    path = tmp_path / "dates.jsonl"
    asked = {"role": "user", "content": "2024-01-01"}
    said = {"role": "assistant", "content": "2024-01-02"}
    row = {"prompt": "2024-01-01", "reward": 1.0, "messages": [asked, said]}
    path.write_text(json.dumps(row) + "\n", "utf-8")
    return path


def test_a_file_that_only_its_features_keep_whole_is_warned_of(tmp_path: Path):
    told = export_dataset(dates(tmp_path), tmp_path / "out.jsonl", reload="warn", format="trl")
    assert told["findings"]["reload"]["count"] == 1
    assert "needs declared features" in told["warnings"][-1]


def test_or_refused_before_it_is_there(tmp_path: Path):
    target = tmp_path / "out.jsonl"
    target.write_text("old", "utf-8")
    with pytest.raises(GateError) as refusal:
        export_dataset(dates(tmp_path), target, reload="refuse", format="trl")
    assert refusal.value.code == "reload"
    assert target.read_text("utf-8") == "old"


def test_with_a_card_the_same_file_passes(tmp_path: Path):
    policy = replace(CAREFUL_SFT.policy, reload="refuse")
    report = sft(dates(tmp_path), tmp_path / "folder", ["trl", "trl-completion"], policy=policy)
    assert report["findings"]["reload"]["summary"].endswith(", none changes")
