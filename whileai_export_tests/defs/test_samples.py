"""Real simulations, end to end. They lie beside the checkout; where they do not, it is skipped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from whileai_export_tests.defs.homes import SAMPLES, Project, checks, materialized

LEAKING = [0, 33, 50, 55, 60, 63, 75, 87, 94]


def test_bank_multi_is_published(lasting: Project):
    lasting.sample("bank_multi")
    result = lasting.run("bank_multi")
    assert materialized(result) == {
        "graded_simulations",
        "training_rows",
        "sft_jsonl",
        "preference_jsonl",
    }
    assert set(checks(result).values()) == {True}
    counts = lasting.report("sft", "bank_multi")["counts"]
    assert counts["read"] == 90
    assert counts["written"] + counts["filtered"]["duplicate"] == 76
    assert counts["read"] == counts["written"] + sum(counts["filtered"].values())
    assert lasting.report("sft", "bank_multi")["privileged_leaks"]["n_leaked"] == 0
    assert lasting.report("preference", "bank_multi")["pairs"] == 20


def test_shop_rl_is_refused_until_its_nine_rows_are_set_aside(lasting: Project):
    lasting.sample("shop_rl")
    assert checks(lasting.run("shop_rl"))["training_rows/privileged_leak"] is False
    refusal = json.loads(lasting.folders.refusal("training_rows", "shop_rl").read_text("utf-8"))
    found = refusal["findings"]["privileged_leak"]
    assert found["count"] == 9
    assert all(finding["field"] for finding in found["named"])
    aside = {"on_leak": "quarantine"}
    assert not lasting.run("shop_rl", training_rows=aside).success
    assert not (lasting.home / "sft").exists()
    assert lasting.run("shop_rl", training_rows={**aside, "max_quarantined": 0.1}).success
    kept = lasting.folders.quarantine("shop_rl").read_text("utf-8").splitlines()
    assert [json.loads(line)["row"] for line in kept] == LEAKING
    assert lasting.report("sft", "shop_rl")["counts"]["written"] == 21


def test_no_private_text_of_shop_rl_reaches_the_instance_or_a_published_file(lasting: Project):
    folder = lasting.sample("shop_rl")
    lines = (folder / "trajectories.jsonl").read_text("utf-8").splitlines()
    private = {str(json.loads(lines[n])["privileged"]["reference"]) for n in LEAKING}
    lasting.run("shop_rl")
    lasting.run("shop_rl", training_rows={"on_leak": "quarantine", "max_quarantined": 0.1})
    open_to_all = {"sft", "preference", "refusals"}
    seen = [
        p for p in lasting.home.rglob("*") if p.relative_to(lasting.home).parts[0] in open_to_all
    ]
    kept = [p for p in lasting.home.parent.rglob("*") if not p.is_relative_to(lasting.home)]
    for path in filter(Path.is_file, [*seen, *kept]):
        data = path.read_bytes()
        assert [text for text in private if text.encode() in data] == [], path


def test_tau_bench_is_staged_with_its_policy_and_discloses_no_block(lasting: Project):
    source = SAMPLES / "tau_bench_airline"
    if not source.is_dir():
        pytest.skip("the tau_bench sample is not beside this checkout")
    folder = lasting.home / "simulations" / "airline"
    folder.mkdir(parents=True)
    rows = (source / "airline.trajectories.jsonl").read_bytes()
    (folder / "trajectories.jsonl").write_bytes(rows)
    policy = (source / "policy.md").read_text("utf-8")
    (folder / "profile.json").write_text(json.dumps({"policy": policy}), "utf-8")
    lasting.register("airline")
    result = lasting.run("airline", "graded_simulations", "training_rows")
    assert result.success
    report = json.loads(lasting.folders.training_rows_report("airline").read_text("utf-8"))
    assert (report["counts"]["written"], report["with_system"]) == (200, 200)
    assert report["tool_call_roundtrip"]["checked"] == 1164
    assert report["privileged_leaks"]["n_leaked"] == 0
