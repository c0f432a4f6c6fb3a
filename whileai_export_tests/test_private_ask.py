"""An ask beside the conversation that no user said: it may be the grader's."""

from __future__ import annotations

import pytest

from whileai_export import export_dataset, export_preference
from whileai_export_tests.builders import rows_of

SECRET = "The vault opens with walnut-river-nine."
TURNS = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}]


def row(name: str = "prompt", ask: str = SECRET, reply: str = "Hello.", **more) -> dict:
    turns = [TURNS[0], {"role": "assistant", "content": reply}]
    block = {"privileged": {"instruction": SECRET}}
    return {"messages": turns, "reward": 1.0, "scenario_id": "a", name: ask, **block, **more}


@pytest.mark.parametrize("name", ["prompt", "question", "input", "task", "ask"])
@pytest.mark.parametrize("format", ["openai", "trl"])
def test_an_ask_that_quotes_the_block_is_left_out_and_counted(tmp_path, name, format):
    output = tmp_path / "o.jsonl"
    report = export_dataset([row(name)], output, format=format)
    assert b"walnut" not in output.read_bytes()
    assert report["columns_left_out"]["prompt"] == 1
    ask = "prompt" if format == "openai" else "prompt_text"
    assert rows_of(output)[0][ask] == "Hi"


def test_an_ask_that_the_user_said_stays(tmp_path):
    said = row(messages=[{"role": "user", "content": SECRET}, TURNS[1]])
    export_dataset([said], tmp_path / "o.jsonl")
    assert rows_of(tmp_path / "o.jsonl")[0]["prompt"] == SECRET


def test_a_pair_asks_what_the_user_said_instead(tmp_path):
    pair = {"prompt": SECRET, "chosen": row(), "rejected": row(reply="No.", reward=0.0)}
    report = export_preference([pair], tmp_path / "o.jsonl")
    assert b"walnut" not in (tmp_path / "o.jsonl").read_bytes()
    assert rows_of(tmp_path / "o.jsonl")[0]["prompt"] == "Hi"
    assert report["columns_left_out"]["prompt"] == 1


def test_a_task_that_is_the_ask_is_left_out_too(tmp_path):
    pair = {"chosen": row(scenario_id=None), "rejected": row(reply="No.", scenario_id=None)}
    export_preference([pair], tmp_path / "o.jsonl")
    assert b"walnut" not in (tmp_path / "o.jsonl").read_bytes()


def test_a_rollout_in_which_nothing_is_said_is_no_good_example(tmp_path):
    silent = {**row(ask="Hi", reply="<think>hm</think>"), "privileged": None}
    good = {**row(ask="Hi"), "privileged": None}
    report = export_dataset([silent, good], tmp_path / "o.jsonl", drop_failed=True)
    assert report["counts"]["filtered"] == {"nothing_trained": 1}
    assert len(rows_of(tmp_path / "o.jsonl")) == 1
