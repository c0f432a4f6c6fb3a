"""The same job in the peer: ``peer_job.py SOURCE OUTPUT KIND``, in the peer's environment."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import whileai.simulations as peer

SFT: dict[str, dict[str, Any]] = {
    "openai": {},
    "trl": {"format": "trl"},
    "unroll": {"unroll": True},
}


def main() -> None:
    source, output, kind = sys.argv[1:4]
    path = Path(source)
    around = json.loads(path.with_name(f"{path.stem}.meta.json").read_text(encoding="utf-8"))
    known = {"system_prompt": around["system_prompt"], "tools": around["tools"]}
    if kind == "pairs":
        with path.open(encoding="utf-8") as lines:
            pairs, _ = peer.build_preference_pairs([json.loads(line) for line in lines])
        report = peer.export_preference(pairs, output, **known)
        print(report["pairs"])
    else:
        report = peer.export_dataset(source, output, **known, **SFT[kind])
        print(report["n"])


if __name__ == "__main__":
    main()
