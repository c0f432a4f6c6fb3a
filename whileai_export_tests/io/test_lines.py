"""Lines: split at newlines only, numbered as an editor numbers them, never too long to hold."""

from __future__ import annotations

import gzip
import json
import tracemalloc

import pytest

from whileai_export.io.lines import Lines, TooLong, blocks, blocks_in, lines, ranges


def read(tmp_path, content: bytes, **options):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(content)
    return list(lines(path, **options))


def test_the_mark_at_the_start_is_no_text(tmp_path):
    assert read(tmp_path, b'\xef\xbb\xbf{"a":1}\n{"b":2}\n') == [(1, b'{"a":1}'), (2, b'{"b":2}')]


def test_carriage_returns_are_no_text(tmp_path):
    assert read(tmp_path, b'{"a":1}\r\n{"b":2}\r\n') == [(1, b'{"a":1}'), (2, b'{"b":2}')]


def test_blank_lines_are_no_rows_and_count_as_lines(tmp_path):
    content = b'\n{"a":1}\n\n  \t\r\n{"b":2}\n\n\n'
    path = tmp_path / "rows.jsonl"
    path.write_bytes(content)
    found = lines(path)
    assert list(found) == [(2, b'{"a":1}'), (5, b'{"b":2}')]
    assert found.passed == 7


def test_the_last_line_needs_no_newline(tmp_path):
    assert read(tmp_path, b'{"a":1}\n{"b":2}') == [(1, b'{"a":1}'), (2, b'{"b":2}')]


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\u0085", "\x0c", "\x1e", "\x0b"])
def test_only_a_newline_ends_a_line(tmp_path, separator):
    line = f'{{"a":"x{separator}y"}}'.encode()
    assert read(tmp_path, line + b"\n" + line + b"\n") == [(1, line), (2, line)]


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf", b"\n\n", b" \r\n"])
def test_a_file_without_rows_has_no_lines(tmp_path, content):
    assert read(tmp_path, content) == []


@pytest.mark.parametrize("length", [99, 100, 101, 5000])
@pytest.mark.parametrize("end", [b"\n", b""])
def test_a_line_past_the_limit_is_marked_and_the_next_is_read(tmp_path, length, end):
    line = b"x" * length
    found = read(tmp_path, b'{"a":1}\n' + line + b'\n{"b":2}\n' + line + end, max_row_bytes=100)
    expected = line if length <= 100 else b""
    assert found == [(1, b'{"a":1}'), (2, expected), (3, b'{"b":2}'), (4, expected)]
    assert [isinstance(text, TooLong) for _, text in found] == [
        False,
        length > 100,
        False,
        length > 100,
    ]


def test_a_line_past_the_limit_is_not_held(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"a":1}\n' + b"x" * 30_000_000 + b'\n{"b":2}\n')
    tracemalloc.start()
    found = list(lines(path, 100_000))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == [(1, b'{"a":1}'), (2, b""), (3, b'{"b":2}')]
    assert peak < 3_000_000


@pytest.mark.parametrize("size", [1, 7, 64, 1 << 18])
def test_blocks_hold_whole_lines_whatever_their_size(tmp_path, size):
    path = tmp_path / "rows.jsonl"
    content = b"".join(b'{"n":%d}\n' % n for n in range(50))
    path.write_bytes(content)
    found = list(blocks(path, size=size))
    assert b"".join(found) == content
    assert all(block.endswith(b"\n") for block in found)
    assert [text for _, text in Lines(found)] == content.splitlines()


@pytest.mark.parametrize("size", [1, 5, 16, 100, 333, 10_000])
def test_every_line_is_in_one_range_only(tmp_path, size):
    path = tmp_path / "rows.jsonl"
    texts = [json.dumps({"n": n, "t": "x" * (n * 7 % 40)}) for n in range(40)]
    texts[5] = texts[6] = ""
    path.write_bytes(b"\xef\xbb\xbf" + "\n".join(texts).encode())
    found, base = [], 0
    for start, end in ranges(path, size):
        part = Lines(blocks_in(path, start, end, size=17))
        found.extend((number + base, text.decode()) for number, text in part)
        base += part.passed
    assert found == [(n, text) for n, text in enumerate(texts, 1) if text]
    assert base == 40


def test_ranges_cover_a_file_once(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"x" * 25)
    assert ranges(path, 10) == [(0, 10), (10, 20), (20, 25)]


def test_a_line_past_the_limit_is_marked_in_one_range_only(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"a":1}\n' + b"x" * 5000 + b'\n{"b":2}\n')
    found, base = [], 0
    for start, end in ranges(path, 100):
        part = Lines(blocks_in(path, start, end, 500), 500)
        found.extend((number + base, text) for number, text in part)
        base += part.passed
    assert found == [(1, b'{"a":1}'), (2, b""), (3, b'{"b":2}')]


def test_a_packed_file_has_the_lines_of_a_plain_one(tmp_path):
    path = tmp_path / "rows.jsonl.gz"
    path.write_bytes(gzip.compress(b'\xef\xbb\xbf{"a":1}\r\n\n{"b":2}'))
    assert list(lines(path)) == [(1, b'{"a":1}'), (3, b'{"b":2}')]
