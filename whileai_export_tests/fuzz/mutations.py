"""One small damage at a time: to the bytes of a file, the structure of a row, a value in it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from whileai_export_tests.fuzz import words

Container = dict[str, Any] | list[Any]


def places(value: Any, found: list[tuple[Container, Any]] | None = None, depth: int = 0) -> list:
    """Every (container, key) of a row, outermost first."""
    found = [] if found is None else found
    if depth < 30 and isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, child in list(items):
            found.append((value, key))
            places(child, found, depth + 1)
    return found


def _place(row: Any, random: Random) -> tuple[Any, Any]:
    found = places(row)
    if not found:
        return [None], 0
    # Half of the time near the top, where the shape of a row is decided.
    return random.choice(found[: max(1, len(found) // 8)] if random.random() < 0.5 else found)


def replace(row: Any, random: Random) -> None:
    container, key = _place(row, random)
    container[key] = words.value(random)


def remove(row: Any, random: Random) -> None:
    container, key = _place(row, random)
    del container[key]


def rename(row: Any, random: Random) -> None:
    container, key = _place(row, random)
    if isinstance(container, dict):
        container[random.choice(words.NAMES)] = container.pop(key)


def add(row: Any, random: Random) -> None:
    container, _ = _place(row, random)
    if isinstance(container, dict):
        container[random.choice(words.NAMES)] = words.value(random)
    else:
        container.insert(random.randrange(len(container) + 1), words.value(random))


def swap(row: Any, random: Random) -> None:
    (one, here), (other, there) = _place(row, random), _place(row, random)
    one[here], other[there] = other[there], one[here]
    if len(places(row)) > 5000:  # a container that came into itself
        one[here] = None


def wrap(row: Any, random: Random) -> None:
    container, key = _place(row, random)
    inner = container[key]
    container[key] = [inner] if random.random() < 0.5 else {random.choice(words.NAMES): inner}


def as_text(row: Any, random: Random) -> None:
    container, key = _place(row, random)
    container[key] = words.text_of(container[key], random).decode("utf-8", "surrogatepass")


def turns(row: Any, random: Random) -> None:
    """A turn more, one less, one twice, two in another order."""
    lists = [c[k] for c, k in places(row) if k in ("messages", "steps") and type(c[k]) is list]
    if not lists:
        return
    found = random.choice(lists)
    place = random.randrange(len(found) + 1)
    what = random.randrange(4)
    if what == 0 or not found:
        found.insert(place, words.message(random))
    elif what == 1:
        del found[place % len(found)]
    elif what == 2:
        found.insert(place, found[place % len(found)])
    else:
        random.shuffle(found)


def text(row: Any, random: Random) -> None:
    """A piece of text put into a text."""
    found = [(c, k) for c, k in places(row) if isinstance(c[k], str)]
    if found:
        container, key = random.choice(found)
        at = random.randrange(len(container[key]) + 1)
        whole = container[key]
        container[key] = whole[:at] + random.choice(words.TEXTS) + whole[at:]


def quote(row: Any, random: Random) -> None:
    """The private words, said by somebody."""
    found = [c for c, k in places(row) if k in ("content", "text", "final_text")]
    if found:
        container = random.choice(found)
        key = next(k for k in ("content", "text", "final_text") if k in container)
        container[key] = f"I say {words.CANARY}."


STRUCTURE: tuple[Callable[[Any, Random], None], ...] = (
    *(replace, replace, remove, rename, add, swap, wrap, as_text, turns, turns, text, text, quote),
)


def damaged_bytes(data: bytes, random: Random) -> bytes:
    """The file with a damage that knows nothing of JSON."""
    at = random.randrange(len(data) + 1)
    end = min(len(data), at + random.choice((1, 1, 3, 40, 400)))
    before, middle, after = data[:at], data[at:end], data[end:]
    what = random.randrange(12)
    if what == 4:
        return data.replace(b"\n", b"\r\n")
    if what == 5:
        return b"\xef\xbb\xbf" + data
    new = {
        0: lambda: before,
        1: lambda: before + after,
        2: lambda: before + middle + middle + after,
        3: lambda: before + random.randbytes(len(middle)) + after,
    }
    return new.get(what, lambda: before + random.choice(_PIECES) + middle + after)()


_PIECES = (
    *(b"\n", b"\n\n \n", b"\0", b"\xff", b"\xed\xa0\x80", "\u2028\u0085".encode(), b"NaN", b","),
    *(b"}", b'"', b"\\", b"[" * 300, b"9" * 25, b"1e999", b"-", b'"a":1,"a":2,', b"\\ud800", b"\r"),
    *(b"\xef\xbb\xbf", b"{}\n", b"[]\n", b"null\n", b'{"messages":[]}\n', b"\x1f\x8b"),
)
