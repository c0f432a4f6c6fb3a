"""One export by the library: ``our_job.py SOURCE OUTPUT KIND WORKERS``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import whileai_export

SFT: dict[str, dict[str, Any]] = {
    "openai": {},
    "trl": {"format": "trl"},
    "unroll": {"unroll": True},
}


def main() -> None:
    source, output, kind, workers = sys.argv[1:5]
    path = Path(source)
    around = json.loads(path.with_name(f"{path.stem}.meta.json").read_text(encoding="utf-8"))
    report = whileai_export.export_dataset(
        source,
        output,
        system_prompt=around["system_prompt"],
        tools=around["tools"],
        workers=int(workers),
        **SFT[kind],
    )
    print(report["n_written"])


if __name__ == "__main__":
    main()
