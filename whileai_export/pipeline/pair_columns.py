"""The columns beside a pair's own: what was asked for, without what quotes a private value."""

from __future__ import annotations

from whileai_export.core.carry import scrubbed
from whileai_export.core.identity import conversation_key, pair_id, row_id, task_key
from whileai_export.core.needles import Needle
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.sides import Pair
from whileai_export.pipeline.stagehand import Stagehand
from whileai_export.shared.schema import SCHEMA_VERSION, JsonObject, Trajectory
from whileai_export.shared.tally import Tally


class PairColumns:
    """Chooses columns for the pairs of one job."""

    def __init__(self, job: Job, tally: Tally) -> None:
        self.simulation = job.simulation
        self.extras = job.extras
        self.wanted = job.options.columns
        self.stagehand = Stagehand(job)
        self.tally = tally

    def of(self, pair: Pair, told: JsonObject, private: tuple[Needle, ...]) -> JsonObject:
        """The columns of one pair; whoever writes them knows their order."""
        if self.wanted is None:
            columns = {**told, "schema_version": SCHEMA_VERSION}
        else:
            columns = {**self._extras(pair), **told, "row_id": self._id(pair)}
            columns = {name: value for name, value in columns.items() if name in self.wanted}
        if private:
            columns = self.stagehand.without_quotes(columns, private, self.tally)
        return columns

    def _extras(self, pair: Pair) -> JsonObject:
        found = {name: scrubbed(pair.given.get(name))[0] for name in self.extras}
        return {name: value for name, value in found.items() if value is not None}

    def _id(self, pair: Pair) -> str:
        recorded = pair.given.get("row_id")
        if isinstance(recorded, str):
            return recorded
        places = pair.places or (None, None)
        return pair_id(*map(self._side_id, pair.sides, places))

    def _side_id(self, side: Trajectory, place: int | None) -> str:
        """The row's id, as an export of the rows has it.

        Of a side that was handed over nobody knows the place among the rows of its task. Where
        it records no rollout either, what was said in it stands for that.
        """
        recorded = side.columns.get("row_id")
        if isinstance(recorded, str):
            return recorded
        rollout = side.columns.get("rollout_index")
        if rollout is None:
            rollout = conversation_key(side.messages).hex() if place is None else place
        return row_id(self.simulation, task_key(side.task or ""), rollout)
