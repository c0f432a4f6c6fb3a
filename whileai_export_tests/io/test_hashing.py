"""Digests of files."""

from __future__ import annotations

import hashlib
from threading import active_count

from whileai_export.io.hashing import Digest, file_sha256


def test_the_digest_is_of_every_byte(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b"abc")
    assert file_sha256(path) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_a_digest_of_pieces_is_that_of_the_whole():
    digest = Digest()
    for piece in (b"a", b"b", b"c"):
        digest.update(piece)
    assert digest.hexdigest() == file_digest_of(b"abc")
    assert digest.size == 3


def test_more_pieces_than_may_wait_are_all_taken_in_their_order():
    digest = Digest()
    for number in range(100):
        digest.update(b"%d," % number)
    assert digest.hexdigest() == file_digest_of(b"".join(b"%d," % n for n in range(100)))


def test_a_digest_of_nothing_needs_no_thread():
    before = active_count()
    assert Digest().hexdigest() == file_digest_of(b"")
    assert active_count() == before


def test_a_closed_digest_leaves_no_thread_behind():
    before = active_count()
    digest = Digest()
    digest.update(b"a")
    digest.close()
    assert active_count() == before


def file_digest_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
