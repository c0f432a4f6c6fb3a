from __future__ import annotations

from whileai_export.pipeline.part import Part, Signature, Staged


def test_lines_are_sealed_into_one_piece():
    staged = Staged()
    first = staged.number(Signature(("a",), ("string",)))
    staged.add(b"x", 0, first)
    staged.add(b"y", 1, first)
    staged.seal()
    assert (staged.data, list(staged.owners), staged.lines) == (b"x\ny\n", [0, 1], [])


def test_nothing_is_sealed_into_nothing():
    staged = Staged()
    staged.seal()
    assert staged.data == b""


def test_a_signature_keeps_its_number():
    staged = Staged()
    names = [staged.number(Signature((n,), ("string",))) for n in "aba"]
    assert names == [0, 1, 0]


def test_a_part_begins_with_nothing():
    part = Part({})
    assert (part.tally.read, part.passed_lines, len(part.sources)) == (0, 0, 0)
