"""What a written pair adds to the report."""

from __future__ import annotations

from collections.abc import Mapping

from whileai_export.core.canonical import PairRow
from whileai_export.core.wire import Line
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.measure import Measure
from whileai_export.shared.schema import JsonObject, WireFormat

#: Margins are summed in these units, as whole numbers.
MARGIN_UNIT = 1e-9
_MOST = 1e6


class PairMeasure:
    """Measures the pairs of one job."""

    def __init__(self, job: Job) -> None:
        self.measure = Measure(job)

    def marks(
        self, row: PairRow, told: JsonObject, lines: Mapping[WireFormat, list[Line]]
    ) -> tuple[int, ...]:
        """The marks of a pair, which is as long as its longer side."""
        sides = row.chosen, row.rejected
        calls = any("tool_calls" in message for side in sides for message in side)
        margin = min(max(told.get("margin", 0.0), -_MOST), _MOST)
        return (
            told["length_delta"] > 0,
            not told["first_turn_differs"],
            told.get("same_policy") is False,
            "margin" in told,
            round(margin / MARGIN_UNIT),
            "margin" in told and margin <= 0 and "tie" not in told,
            sum(map(_foreign, lines.get("trl", ()))),
            row.chosen[0]["role"] != "system",
            calls and not row.tools,
            *self.measure.longer_side(sides, row.tools),
        )


def _foreign(line: Line) -> int:
    turns = [*line["chosen"], *line["rejected"]]
    return sum(turn["role"] != "assistant" for turn in turns)
