from __future__ import annotations

import threading

import pytest

from whileai_export.io.aside import Aside


def test_everything_is_done_in_order():
    done: list[object] = []
    with Aside() as aside:
        first = aside.begin(done.append, 0)
        for data in (b"1", b"2", b"3"):
            aside.write(done.append, data)
        aside.settle()
        assert done == [0, b"1", b"2", b"3"]
        assert first.result() is None


def test_what_a_write_raises_is_raised_by_the_next_or_by_the_last():
    def full(data: bytes) -> None:
        raise OSError(28, "No space left on device")

    with Aside() as aside:
        aside.write(full, b"1")
        with pytest.raises(OSError, match="No space left"):
            aside.write(full, b"2")
        aside.settle()
        aside.write(full, b"3")
        with pytest.raises(OSError, match="No space left"):
            aside.settle()


def test_at_most_one_write_waits():
    go, written = threading.Event(), []

    def slow(data: bytes) -> None:
        go.wait(10)
        written.append(data)

    with Aside() as aside:
        aside.write(slow, b"1")
        second = threading.Thread(target=aside.write, args=(slow, b"2"))
        second.start()
        assert written == []
        go.set()
        second.join(10)
        aside.settle()
    assert written == [b"1", b"2"]


def test_no_thread_is_left():
    before = threading.active_count()
    with Aside() as aside:
        aside.write(bytes.hex, b"1")
    assert threading.active_count() == before
