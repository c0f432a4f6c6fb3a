"""The gates a row passes, and what is done about what they find."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from whileai_export.core.holdout import held_out
from whileai_export.core.leak import leaks, quotes
from whileai_export.core.needles import Needle, needles
from whileai_export.core.round_trip import round_trip
from whileai_export.core.structure import structure
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.warning_gates import WARNING
from whileai_export.shared.findings import Finding, Gate
from whileai_export.shared.schema import Trajectory
from whileai_export.shared.tally import Seen, Tally

#: The columns by which a finding names its row.
_IDS = ("scenario_id", "rollout_index")


class Watch:
    """The gates of one job.

    ``needles`` are the last row's private values, ``texts`` the JSON text of its arguments.
    """

    def __init__(self, job: Job) -> None:
        self.job = job
        self.needles: tuple[Needle, ...] = ()
        self.texts: list[str] = []
        policy_ = job.options.policy
        self.refused: frozenset[Gate] = frozenset(refusing(job))
        quarantined: set[Gate] = set()
        if policy_.on_bad_row == "quarantine":
            quarantined |= {"tool_call_roundtrip", "readable"}
        if policy_.on_leak == "quarantine":
            quarantined.add("privileged_leak")
        self.quarantined: frozenset[Gate] = frozenset(quarantined)
        self.barring = self.refused | self.quarantined
        self.gates = job.gates

    def look(
        self, trajectory: Trajectory, row: int, line: int | None, tally: Tally
    ) -> list[Finding]:
        """Everything the gates see on one row, counted and placed."""
        messages = trajectory.messages
        found, self.texts = round_trip(messages)
        tally.calls_checked += len(self.texts)
        tally.calls_invalid += len(found)
        self.needles = ()
        if trajectory.privileged is not None:
            self.needles = needles(trajectory.privileged)
            if self.needles:
                found += self._leaks(trajectory, tally.gate("privileged_leak"))
        found += structure(messages)
        if self.gates or self.job.holdout:
            found += self._warnings(trajectory, tally)
        return self._placed(found, row, line, tally) if found else found

    def unfit(self, findings: list[Finding]) -> bool:
        """The row may not be written."""
        return any(f.gate in self.barring for f in findings)

    def keeps(self, findings: list[Finding]) -> bool:
        """The row goes to the quarantine file."""
        return any(f.gate in self.quarantined for f in findings)

    def gravest(self, findings: list[Finding]) -> tuple[Finding, ...]:
        """The findings, those that keep a row out first."""
        return tuple(sorted(findings, key=lambda f: f.gate not in self.quarantined))

    def _leaks(self, trajectory: Trajectory, seen: Seen) -> list[Finding]:
        found, disclosed = leaks(
            trajectory.messages, trajectory.final_text, self.needles, self.texts
        )
        seen.checked += 1
        seen.disclosed += disclosed
        if not found:
            return found
        scenario, rollout = map(self._unless_private, map(trajectory.columns.get, _IDS))
        return [replace(f, scenario_id=scenario, rollout_index=rollout) for f in found]

    def _unless_private(self, id_: Any) -> Any:
        """An id that a finding may name: one that holds no private value itself."""
        return None if id_ is not None and quotes(str(id_), self.needles) else id_

    def _warnings(self, trajectory: Trajectory, tally: Tally) -> list[Finding]:
        found: list[Finding] = []
        if self.job.holdout:
            tally.gate("holdout").checked += 1
            found += held_out(trajectory, self.job.holdout)
        for gate in self.gates:
            compared, findings = WARNING[gate](trajectory)
            tally.gate(gate).checked += compared
            found += findings
        return found

    @staticmethod
    def _placed(found: list[Finding], row: int, line: int | None, tally: Tally) -> list[Finding]:
        placed = [finding.of(row, line) for finding in found]
        for gate in dict.fromkeys(finding.gate for finding in placed):
            tally.gate(gate).add([finding for finding in placed if finding.gate == gate])
        return placed


def refusing(job: Job) -> list[Gate]:
    """The gates that refuse the whole export, by the job's policy."""
    policy_ = job.options.policy
    gates: list[Gate] = []
    if policy_.on_bad_row == "refuse":
        gates.append("readable")
        if policy_.validate:
            gates.append("tool_call_roundtrip")
    if policy_.validate and policy_.on_leak == "refuse":
        gates.append("privileged_leak")
    if policy_.strict:
        gates.append("structure")
    if policy_.validate and job.holdout:
        gates.append("holdout")
    return gates
