"""One export by the library: ``our_job.py SOURCE OUTPUT KIND WORKERS``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import whileai_export
from whileai_export.pipeline.preference import write_pairs
from whileai_export.shared.options import PairOptions

SFT: dict[str, dict[str, Any]] = {
    "openai": {},
    "trl": {"format": "trl"},
    "unroll": {"unroll": True},
}


def main() -> None:
    source, output, kind, workers = sys.argv[1:5]
    path = Path(source)
    around = json.loads(path.with_name(f"{path.stem}.meta.json").read_text(encoding="utf-8"))
    if kind == "pairs":
        print(pairs(path, Path(output), int(workers)))
        return
    report = whileai_export.export_dataset(
        source,
        output,
        system_prompt=around["system_prompt"],
        tools=around["tools"],
        workers=int(workers),
        **SFT[kind],
    )
    print(report["n_written"])


def pairs(source: Path, output: Path, workers: int) -> int:
    """Pairs of a file, as ``whileai-export preference`` makes them, by the library's gates."""
    options = PairOptions(min_margin=1.0)  # the peer's, so that both pair the same rows
    with write_pairs(source, {"openai": output}, options=options, workers=workers) as outcome:
        outcome.publish()
        made: int = outcome.report["pairs"]
        return made


if __name__ == "__main__":
    main()
