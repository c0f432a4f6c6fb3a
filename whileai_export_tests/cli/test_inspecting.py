from __future__ import annotations

import json
from pathlib import Path

from whileai_export_tests.cli.calling import call


def test_it_says_what_is_there_and_writes_nothing(clean: Path, tmp_path: Path):
    done = call("inspect", clean)
    assert done.exit_code == 0, done.output
    lines = [" ".join(line.split()) for line in done.output.splitlines()]
    assert "rows 48 (messages 48)" in lines
    assert "tasks 12, 4 rollouts each on average" in lines
    assert "rewards 39 pass, 9 fail, 0 ungraded" in lines
    assert "passing 39 rows, 28 of them unique" in lines
    assert "system prompt missing on 48 rows: give --system-prompt FILE" in lines
    assert [path.name for path in tmp_path.iterdir()] == [clean.name]


def test_keys_that_nothing_reads_are_named(tmp_path: Path):
    file = tmp_path / "runs.jsonl"
    row = {"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]}
    file.write_text(2 * (json.dumps({**row, "score": 1, "trial": 2}) + "\n"), "utf-8")
    lines = [" ".join(line.split()) for line in call("inspect", file).output.splitlines()]
    assert "not read score, trial" in lines
    unnumbered = "numbered by their order, without rollout_index: another order gives other row ids"
    assert f"rollouts {unnumbered}" in lines
    found = json.loads(call("inspect", file, "--json").stdout)
    assert (found["unread_keys"], found["without_index"]) == ({"score": 2, "trial": 2}, 2)


def test_of_many_keys_that_nothing_reads_some_are_named(tmp_path: Path):
    file = tmp_path / "runs.jsonl"
    row = {"prompt": "q", "final_text": "a", **{f"key_{n}": n for n in range(14)}}
    file.write_text(json.dumps(row) + "\n", "utf-8")
    (line,) = [line for line in call("inspect", file).output.splitlines() if "not read" in line]
    assert line.endswith("key_10, key_11, and 2 more")
    assert "rollouts  " not in call("inspect", file).output


def test_keys_are_named_also_where_no_row_can_be_read(tmp_path: Path):
    file = tmp_path / "runs.jsonl"
    file.write_text('{"q": "Hello?", "a": "Hello."}\n', "utf-8")
    done = call("inspect", file).output
    assert "  not read  q, a\n" in done
    assert "mend these rows, or say with --adapter what reads them, or name a file" in done


def test_where_the_selection_leaves_nothing_no_export_is_printed(tmp_path: Path):
    file = tmp_path / "runs.jsonl"
    rows = [{"prompt": "q", "final_text": "a", "reward": reward} for reward in (0, 5)]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    *_, last = call("inspect", file).output.splitlines()
    left = "no row is left of the selection (min_reward 1, ungraded 1)"
    assert last == f"an export would write nothing: {left}"


def test_it_ends_with_the_export_to_type(clean: Path):
    bare = call("inspect", clean).output.rstrip()
    assert bare.endswith(f" export {clean} --system-prompt FILE --tools FILE")
    prompt = clean.with_name("policy.md")
    prompt.write_text("Be kind.", "utf-8")
    told = call("inspect", clean, "--system-prompt", prompt).output.rstrip()
    assert told.endswith(f" export {clean} --system-prompt {prompt} --tools FILE")


def test_a_finished_file_of_pairs_is_told_with_what_looks_at_it(clean: Path, tmp_path: Path):
    pairs = tmp_path / "pairs.jsonl"
    call("preference", clean, "-o", pairs)
    done = call("inspect", pairs)
    assert done.exit_code == 0, done.output
    said, check, preview = done.output.rstrip().splitlines()[-3:]
    assert said == "this is a finished file of preference pairs (openai); to look at it:"
    assert check.endswith(f" check {pairs}")
    assert preview.endswith(f" preview {pairs}")
    assert "export_preference" not in done.output


def test_it_says_what_would_be_refused_and_what_to_type_then(leaking: Path):
    done = call("inspect", leaking)
    assert done.exit_code == 0, done.output
    assert "an export would be refused: privileged_leak" in done.output
    assert "row 27" in done.output
    assert done.output.rstrip().endswith("--on-leak quarantine --max-quarantined 0.1")


def test_what_it_counts_is_what_the_command_that_it_names_writes(leaking: Path, tmp_path: Path):
    told = call("inspect", leaking).output
    lines = [" ".join(line.split()) for line in told.splitlines()]
    assert "kept out 3 rows by the gates (privileged_leak 3)" in lines
    assert "rewards 15 pass, 10 fail, 4 ungraded (null 4)" in lines
    assert "passing 15 rows, 7 of them unique" in lines
    assert "pairs 7 pairs can be made" in lines
    aside = ["--on-leak", "quarantine", "--max-quarantined", "0.1", "--json"]
    rows = json.loads(call("export", leaking, "-o", tmp_path / "t.jsonl", *aside).output)
    pairs = json.loads(call("preference", leaking, "-o", tmp_path / "p.jsonl", *aside).output)
    assert (rows["n"], pairs["pairs"]) == (7, 7)


def test_a_damaged_line_is_told_not_fatal(clean: Path):
    clean.write_text(clean.read_text("utf-8") + "{broken\n", "utf-8")
    done = call("inspect", clean)
    assert done.exit_code == 0, done.output
    lines = [" ".join(line.split()) for line in done.output.splitlines()]
    assert "readable 49 rows checked, 1 row with findings" in lines
    assert "kept out 1 row by the gates (readable 1)" in lines
    assert lines[-2].startswith("an export would be written")


def test_too_many_damaged_lines_are_a_refusal_of_their_own(clean: Path):
    clean.write_text(clean.read_text("utf-8") + "{broken\n" * 5, "utf-8")
    done = call("inspect", clean)
    assert done.exit_code == 0, done.output
    assert "an export would be refused: quarantine_limit" in done.output
    assert "readable: 5 of 53 rows cannot be read" in done.output
    assert done.output.rstrip().endswith("--max-quarantined 0.1")


def test_for_machines_it_is_one_document(leaking: Path):
    told = json.loads(call("inspect", leaking, "--json").output)
    assert told["refusal"]["code"] == "privileged_leak"
    assert told["rows"]["counts"]["read"] == 32
    assert told["rows"]["rewards"]["n_ungraded"] == 4


def test_an_empty_file_is_named(tmp_path: Path):
    (tmp_path / "empty.jsonl").touch()
    done = call("inspect", tmp_path / "empty.jsonl")
    assert done.exit_code == 2
    assert "empty" in done.output
