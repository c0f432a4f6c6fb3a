from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from whileai_export import ExportError, SourceError, export_dataset, training_rows
from whileai_export_tests.hard_inputs.doors import (
    GOOD,
    POOR,
    call,
    exported,
    kept_out,
    line,
    paired,
    read,
    result,
    row,
    says,
    user,
    written,
)
from whileai_export_tests.hard_inputs.rows import shows

ROOT = Path(__file__).parents[2]


@shows("file-lines")
def test_marks_and_line_ends_of_every_kind_are_read(tmp_path):
    odd = json.dumps(row(says("a\u2028b\u2029c\u0085d")), ensure_ascii=False).encode()
    data = b"\xef\xbb\xbf" + line(GOOD)[:-1] + b"\r\n\r\n  \n" + odd + b"\n\n" + line(POOR)[:-1]
    rows, report = exported(tmp_path, data)
    said = [told["messages"][1]["content"] for told in rows]
    assert said == ["Here.", "a\u2028b\u2029c\u0085d", "Somewhere."]
    assert report["counts"]["read"] == 3
    assert b"a\\u2028b\\u2029c\\u0085d" in (tmp_path / "out.jsonl").read_bytes()


BROKEN = {
    "utf8": (
        b'{"a": "\xff"}\n',
        "expected one JSON object on the line, got invalid UTF-8 at byte 8",
    ),
    "torn": (
        b'{"messages": [{"role"\n',
        "expected one JSON object on the line, got a torn line (it ends inside a value, "
        "after 21 characters)",
    ),
    "two": (b"{} {}\n", "expected one JSON object on the line, got two objects"),
    "list": (b"[]\n", "expected one JSON object on the line, got a list"),
    "text": (b'"a"\n', "expected one JSON object on the line, got text"),
    "null": (b"null\n", "expected one JSON object on the line, got null"),
    "words": (
        b"hello\n",
        "expected one JSON object on the line, got text that is not JSON (from character 1)",
    ),
}


@shows("file-broken")
@pytest.mark.parametrize(("broken", "problem"), BROKEN.values(), ids=BROKEN)
def test_a_line_that_holds_no_row_is_kept_out_with_its_number(tmp_path, broken, problem):
    kept_out(tmp_path, broken, "readable", "$", problem)


@shows("file-broken")
def test_line_numbers_count_blank_lines(tmp_path):
    source = written(tmp_path, line(GOOD), b"\n\n", b"{}x\n")
    with pytest.raises(SourceError, match=r"^line 4: "):
        training_rows(source)


@shows("file-nan", "rewards")
def test_nan_outside_arguments_is_null_and_counted(tmp_path):
    nan = float("nan")
    talk = row(
        *(says("", call({})), result({"x": nan}), says("Here.")),
        reward=nan,
        usage={"cost": float("inf")},
    )
    rows, report = exported(tmp_path, talk)
    assert rows[0]["messages"][2]["content"] == '{"x": null}'
    assert rows[0]["usage"] == {"cost": None}
    assert "reward" not in rows[0]
    assert report["repairs"] == {"nan_nulled": 3, "results_as_json": 1}
    assert report["rewards"]["ungraded_by_kind"] == {"nan": 1}


@shows("file-packed")
@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_packed_files_are_read_and_written_by_suffix(tmp_path, suffix):
    plain = written(tmp_path, GOOD, POOR)
    export_dataset(plain, tmp_path / "plain.jsonl")
    packed = tmp_path / f"out.jsonl{suffix}"
    export_dataset(plain, packed)
    export_dataset(packed, tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "plain.jsonl").read_bytes()
    if suffix == ".gz":
        assert gzip.decompress(packed.read_bytes()) == (tmp_path / "plain.jsonl").read_bytes()


@shows("file-empty")
@pytest.mark.parametrize("data", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_no_rows_are_refused_and_the_old_output_stays(tmp_path, data):
    output = tmp_path / "out.jsonl"
    output.write_bytes(b"old\n")
    with pytest.raises(SourceError, match="expected rows, got"):
        export_dataset(written(tmp_path, data), output)
    with pytest.raises(SourceError, match="expected rows, got none"):
        export_dataset([], output)
    assert output.read_bytes() == b"old\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["night.jsonl", "out.jsonl"]


@shows("file-is-source")
def test_the_source_is_never_the_output(tmp_path, monkeypatch):
    source = written(tmp_path, GOOD)
    before = source.read_bytes()
    (tmp_path / "soft.jsonl").symlink_to(source)
    os.link(source, tmp_path / "hard.jsonl")
    monkeypatch.chdir(tmp_path)
    for output in (source, "night.jsonl", "./night.jsonl", "soft.jsonl", "hard.jsonl"):
        with pytest.raises(ExportError, match="the output is the source"):
            export_dataset(source, output)
    assert source.read_bytes() == before


@shows("file-mode")
def test_an_output_keeps_its_mode(tmp_path):
    output = tmp_path / "out.jsonl"
    output.touch(0o600)
    export_dataset(written(tmp_path, GOOD), output)
    assert output.stat().st_mode & 0o777 == 0o600


EXPORT = """
import os, signal, sys
from whileai_export import export_dataset
def stop(rows, done, total):
    if sys.argv[3:]:
        os.kill(os.getpid(), signal.SIGKILL)
export_dataset(sys.argv[1], sys.argv[2], progress=stop)
"""


def command(source: Path, output: Path, *more: str) -> list[str]:
    return [sys.executable, "-c", EXPORT, str(source), str(output), *more]


@shows("file-crash")
def test_a_killed_export_leaves_the_old_file_and_nothing_that_the_next_does_not_clear(tmp_path):
    source, output = written(tmp_path, GOOD, POOR), tmp_path / "out.jsonl"
    output.write_bytes(b"old\n")
    killed = subprocess.run(command(source, output, "die"), cwd=ROOT, timeout=60, check=False)
    assert killed.returncode == -9
    assert output.read_bytes() == b"old\n"
    export_dataset(source, output)
    assert len(read(output)) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["night.jsonl", "out.jsonl"]


@shows("file-writers")
def test_several_writers_of_one_output_each_write_it_whole(tmp_path):
    source, output = written(tmp_path, *[GOOD, POOR] * 500), tmp_path / "out.jsonl"
    running = [subprocess.Popen(command(source, output), cwd=ROOT) for _ in range(3)]
    assert [writer.wait(60) for writer in running] == [0, 0, 0]
    assert len(read(output)) == 1000
    assert sorted(path.name for path in tmp_path.iterdir()) == ["night.jsonl", "out.jsonl"]


@shows("file-locale")
def test_a_posix_locale_changes_nothing(tmp_path):
    source = written(tmp_path, json.dumps(row(says("naïve 数")), ensure_ascii=False).encode())
    plain = {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    environment = {**os.environ, **plain}
    output = tmp_path / "out.jsonl"
    subprocess.run(command(source, output), cwd=ROOT, env=environment, check=True, timeout=60)
    assert read(output)[0]["messages"] == [user("Where?"), says("naïve 数")]


@shows("file-broken")
def test_pairs_keep_broken_lines_out_as_well(tmp_path):
    report = paired(tmp_path, GOOD, b"{\n", POOR, b"[]\n", GOOD, POOR)
    assert (report["pairs"], report["counts"]["quarantined"]) == (1, 2)
    assert [kept["line"] for kept in read(tmp_path / "kept.jsonl")] == [2, 4]
