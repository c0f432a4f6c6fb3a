"""A home with published simulations, made without Dagster."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from whileai_export.pipeline.outcome import Outcome
from whileai_export.pipeline.preference import write_pairs
from whileai_export.pipeline.sft import stage_training_rows, write_sft
from whileai_export.shared.careful import CAREFUL_PAIRS, CAREFUL_SFT, STAGED_ROWS
from whileai_export.shared.options import OnFinding, Selection, digest, plain
from whileai_export.versions import Cut, Part, Shelf, Split, cut
from whileai_export.versions.inputs import present
from whileai_export.versions.parts import KINDS

Row = dict[str, Any]
FORMATS = ("openai", "trl")


def row(task: str, rollout: int = 0, reward: float = 1.0, reply: str = "", **more: Any) -> Row:
    """One rollout: a question and an answer."""
    return {
        "scenario_id": task,
        "rollout_index": rollout,
        "reward": reward,
        "prompt": f"Please look up {task}.",
        "final_text": reply or f"Found {task}, attempt {rollout}.",
        **more,
    }


def rows(tasks: int = 4) -> list[Row]:
    """Two rollouts a task: one passes, one fails."""
    return [row(f"t{t}", k, 1.0 - k) for t in range(tasks) for k in range(2)]


@dataclass
class Home:
    """The folders as the Dagster project lays them out."""

    path: Path
    dataset: str | None = None
    run: int = 0

    @property
    def shelf(self) -> Shelf:
        return Shelf.of(self.path, self.dataset)

    def simulation(self, name: str) -> Path:
        return self.path / "simulations" / name

    def add(self, name: str, rows: list[Row], policy: str = "Be brief.") -> None:
        """Put a simulation there, or other rows in its place."""
        folder = self.simulation(name)
        folder.mkdir(parents=True, exist_ok=True)
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / "trajectories.jsonl").write_text(text, "utf-8")
        (folder / "profile.json").write_text(json.dumps({"policy": policy}), "utf-8")

    def export(
        self,
        name: str,
        formats: tuple[Any, ...] = FORMATS,
        min_reward: float = 0.5,
        prompt: str | None = None,
        leaks: OnFinding = "refuse",
    ) -> None:
        """What the graph does for one simulation."""
        policy = replace(STAGED_ROWS.policy, on_leak=leaks, max_quarantined=1.0)
        rows = replace(STAGED_ROWS, policy=policy)
        self.run += 1
        now = present(self.simulation(name))
        staged = self._of("training_rows") / f"{name}.jsonl"
        report = staged.with_name(f"{name}.report.json")
        with stage_training_rows(
            self.simulation(name), staged, options=rows, simulation=name,
            system_prompt=prompt,
        ) as outcome:  # fmt: skip
            made = self._publish(outcome, report, {"input": now, "options": plain(rows)})
        upstream = {"input": now, "upstream": {"sha256": made["outputs"][0]["sha256"]}}
        selection = Selection(min_reward, drop_failed=True, dedupe=True, trim_tail=True)
        sft = replace(CAREFUL_SFT, formats=formats, selection=selection)
        with write_sft(staged, self._targets("sft", name, formats), options=sft,
                       simulation=name) as outcome:  # fmt: skip
            told = {**upstream, "options": plain(sft), "options_digest": digest(sft)}
            self._publish(outcome, self.published("sft", name) / "report.json", told)
        pairs = replace(CAREFUL_PAIRS, formats=tuple(f for f in formats if f != "kto"))
        with write_pairs(staged, self._targets("preference", name, pairs.formats), options=pairs,
                         simulation=name) as outcome:  # fmt: skip
            told = {**upstream, "options": plain(pairs), "options_digest": digest(pairs)}
            self._publish(outcome, self.published("preference", name) / "report.json", told)

    def published(self, kind: str, name: str) -> Path:
        return self._of(kind) / name

    def parts(self, **problems: str) -> list[Part]:
        """Every published simulation; ``problems`` says what is wrong with some."""
        names = sorted(path.name for path in self._of("sft").iterdir())
        return [
            Part(name, kind, self.published(kind, name),
                 self._of("training_rows") / f"{name}.report.json", problems.get(name, ""),
                 present(self.simulation(name)))
            for name in names for kind in KINDS
        ]  # fmt: skip

    def cut(self, test: float = 0.0) -> Cut:
        return cut(self.path, self.dataset, self.parts(), split=Split(test))

    def ids(self, name: str, kind: str = "sft") -> dict[str, str]:
        """The published rows' ids by task."""
        found = (self.published(kind, name) / f"{kind}.openai.jsonl").read_text("utf-8")
        return {row["task"]: row["row_id"] for row in map(json.loads, found.splitlines())}

    def _of(self, kind: str) -> Path:
        return self.path / kind / (self.dataset or "")

    def _targets(self, kind: str, name: str, formats: tuple[Any, ...]) -> dict[Any, Path]:
        return {f: self.published(kind, name) / f"{kind}.{f}.jsonl" for f in formats}

    def _publish(self, outcome: Outcome, last: Path, more: Mapping[str, Any]) -> dict[str, Any]:
        place = {"run_id": f"run-{self.run}", "code_version": "code-1"}
        report = {**outcome.report, **more, **place}
        outcome.add(last, json.dumps(report).encode())
        outcome.publish(last=last)
        return report


def sha256s(folder: Path) -> dict[str, str]:
    """Every file of a folder with the sha256 of its bytes."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def edit(path: Path, data: bytes) -> None:
    """Change a read-only file in place, as somebody who means it."""
    path.chmod(0o644)
    path.write_bytes(data)
    path.chmod(0o444)
