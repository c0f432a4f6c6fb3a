"""The floor: ``floor.py SOURCE OUTPUT [WRITTEN]``.

Every line of SOURCE is loaded and dumped with orjson, and nothing else. With WRITTEN, the
rows of that file are dumped instead, and the seconds of the loads and dumps are printed.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import orjson


def copy(source: Path, output: Path) -> None:
    with source.open("rb") as lines, output.open("wb") as file:
        for line in lines:
            file.write(orjson.dumps(orjson.loads(line), option=orjson.OPT_APPEND_NEWLINE))


def rewrite(source: Path, output: Path, written: Path) -> float:
    """Seconds to load every row of one file and to dump every row of another."""
    start = time.perf_counter()
    with source.open("rb") as lines:
        for line in lines:
            orjson.loads(line)
    seconds = time.perf_counter() - start
    with written.open("rb") as lines, output.open("wb") as file:
        for line in lines:
            row = orjson.loads(line)
            start = time.perf_counter()
            file.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
            seconds += time.perf_counter() - start
    return seconds


def main() -> None:
    source, output, *written = map(Path, sys.argv[1:])
    if written:
        print(f"{rewrite(source, output, *written):.4f}")
    else:
        copy(source, output)


if __name__ == "__main__":
    main()
