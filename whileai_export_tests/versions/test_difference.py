from __future__ import annotations

import json
from typing import Any

import pytest

from whileai_export.shared.errors import SourceError
from whileai_export.versions import diff
from whileai_export.versions.difference import difference
from whileai_export.versions.index import Index, Named
from whileai_export.versions.rows import row_of
from whileai_export_tests.versions.homes import Home, edit, row


def plain_rows(count: int) -> list[dict[str, object]]:
    return [row(f"t{n}", 0, 1.0) for n in range(count)]


def talk(task: str, answers: list[str], reward: float = 1.0) -> dict[str, object]:
    """A conversation with as many assistant turns: as many lines of ``trl-completion``."""
    messages = [
        turn
        for n, answer in enumerate(answers)
        for turn in (
            {"role": "user", "content": f"{task}, question {n}?"},
            {"role": "assistant", "content": answer},
        )
    ]
    return {"scenario_id": task, "rollout_index": 0, "reward": reward, "messages": messages}


def compared(old: list[str], new: list[str]) -> dict[str, Any]:
    """What became of a row whose lines say this."""
    manifest = {"version": "v1", "inputs": [], "split": {}, "code": []}
    with Index() as index:
        for age, said in (("old", old), ("new", new)):
            lines = [row_of({"row_id": "a", "prompt": text}, b"") for text in said]
            index.add(age, Named("sft", "trl-completion", "desk"), "train", lines)  # type: ignore[arg-type]
        found: dict[str, Any] = difference(index, manifest, manifest, None)["rows"]["sft"]
        return found


def test_edited_deleted_added_and_reordered_rows_are_named_exactly(home: Home) -> None:
    before = plain_rows(20)
    home.add("desk", before)
    home.export("desk")
    home.cut()
    was = home.ids("desk")
    after = [dict(r) for r in before[2:]]
    after[0]["final_text"] = "Another answer."
    after[1]["reward"] = 0.75
    after[2]["final_text"], after[2]["reward"] = "A third one.", 0.5
    after += [row(f"new{n}", 0, 1.0) for n in range(4)]
    home.add("desk", after[::-1])
    home.export("desk")
    home.cut()
    now = home.ids("desk")
    found = diff(home.shelf, "v0001", "v0002")["rows"]["sft"]
    assert found["added"]["row_ids"] == sorted(now[f"new{n}"] for n in range(4))
    assert found["removed"]["row_ids"] == sorted([was["t0"], was["t1"]])
    assert found["removed"]["rows"] == [
        {"row_id": was["t0"], "simulation": "desk", "task": "t0"},
        {"row_id": was["t1"], "simulation": "desk", "task": "t1"},
    ]
    assert {r["row_id"]: r["fields"] for r in found["changed"]["rows"]} == {
        was["t2"]: ["messages"],
        was["t3"]: ["reward"],
        was["t4"]: ["messages", "reward"],
    }
    assert found["changed"]["fields"] == {"messages": 2, "reward": 2}
    assert (found["added"]["count"], found["removed"]["count"], found["changed"]["count"]) == (
        4, 2, 3)  # fmt: skip


@pytest.mark.parametrize("formats", [("openai", "trl-completion"), ("trl-completion",)])
@pytest.mark.parametrize("turns", [2, 3, 10])
def test_a_reworded_turn_of_many_lines_is_one_changed_row(
    home: Home, turns: int, formats: tuple[Any, ...]
) -> None:
    answers = {f"t{n}": [f"{n}: answer {k}" for k in range(turns)] for n in range(20)}
    for last in ("Done.", "Done, I think."):
        answers["t7"][-1] = last
        home.add("desk", [talk(task, said) for task, said in answers.items()])
        home.export("desk", formats=formats)
        home.cut()
    found = diff(home.shelf, "v0001", "v0002")["rows"]["sft"]
    assert (found["added"]["count"], found["removed"]["count"]) == (0, 0)
    (changed,) = found["changed"]["rows"]
    named = ["completion", "messages"] if "openai" in formats else ["completion"]
    assert (changed["task"], changed["fields"]) == ("t7", named)
    assert found["changed"]["count"] == 1


def test_lines_that_came_or_went_change_their_row() -> None:
    for old, new in (("xy", "xyz"), ("xyz", "xy"), ("x", "xyzxyzxyz")):
        found = compared(list(old), list(new))["changed"]
        assert (found["count"], found["fields"]) == (1, {"(lines)": 1})


def test_the_same_lines_in_another_order_are_no_change() -> None:
    for count in (2, 3, 10):
        said = [f"line {n}" for n in range(count)]
        assert compared(said, said[::-1])["changed"]["count"] == 0


def test_the_manifest_holds_the_difference_to_the_parent(home: Home) -> None:
    home.cut()
    home.add("desk", [row("t0", 0, 1.0), row("t0", 1, 0.0)])
    home.export("desk", min_reward=0.25)
    found = home.cut().manifest["diff"]
    assert (found["from"], found["to"]) == ("v0001", "v0002")
    assert found["rows"]["sft"]["removed"]["count"] == 3
    assert found["tasks"]["removed"] == {"count": 3, "named": ["t1", "t2", "t3"]}
    assert found["inputs"] == {"added": [], "removed": [], "changed": ["desk"]}
    assert found["options"] == [
        {
            "step": "sft",
            "option": "min_reward",
            "from": 0.5,
            "to": 0.25,
            "simulations": ["desk"],
            "of": 1,
        }
    ]
    assert found["code"] == {}


def test_group_fields_that_other_rows_changed_are_no_change_of_a_row(home: Home) -> None:
    home.cut()
    home.add("desk", [*[row(f"t{t}", k, 1.0 - k) for t in range(4) for k in range(2)],
                      row("t0", 2, 0.0)])  # fmt: skip
    home.export("desk")
    found = home.cut().manifest["diff"]["rows"]["sft"]
    assert found["changed"]["count"] == 0
    assert found["regrouped"] == 1


def test_the_drift_of_the_reward_is_told(home: Home) -> None:
    home.cut()
    home.add("desk", [row(f"t{t}", 0, 0.5) for t in range(4)])
    home.export("desk")
    assert home.cut().manifest["diff"]["scores"]["sft"] == {
        "of": "reward",
        "mean": {"from": 1.0, "to": 0.5},
        "changed": 4,
    }


def test_a_format_more_adds_no_row(home: Home) -> None:
    home.cut()
    home.export("desk", formats=("openai", "trl", "fireworks"))
    found = home.cut().manifest["diff"]["rows"]
    assert [found[kind][what]["count"] for kind in found for what in ("added", "removed")] == [
        0, 0, 0, 0]  # fmt: skip


def test_names_are_bounded_and_counts_are_not(home: Home) -> None:
    home.cut()
    home.add("desk", plain_rows(9))
    home.export("desk")
    home.cut()
    found = diff(home.shelf, "v0001", "v0002", limit=2)["rows"]["sft"]["added"]
    assert (found["count"], len(found["row_ids"])) == (5, 2)


def test_an_edited_version_is_refused_by_name(home: Home) -> None:
    first = home.cut()
    home.export("desk", formats=("trl",))
    home.cut()
    manifest = first.folder / "manifest.json"
    found = json.loads(manifest.read_bytes())
    found["counts"]["sft"]["rows"] = 5
    edit(manifest, json.dumps(found).encode())
    with pytest.raises(SourceError, match=r"v0001/manifest.json: it was edited after"):
        diff(home.shelf, "v0001", "v0002")
