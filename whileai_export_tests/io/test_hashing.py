"""Digests of files."""

from __future__ import annotations

from whileai_export.io.hashing import file_sha256


def test_the_digest_is_of_every_byte(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"abc")
    assert file_sha256(path) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
