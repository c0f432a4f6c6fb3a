"""Where the files of one export are made, and what they come to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from whileai_export.io.aside import Aside
from whileai_export.io.source import Source
from whileai_export.pipeline.files import Finishing, content_of, spool_folder, staging_for
from whileai_export.pipeline.given import Given
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.join import Join, M
from whileai_export.pipeline.outcome import Outcome, Target
from whileai_export.pipeline.part import Part
from whileai_export.pipeline.quarantine import Quarantine
from whileai_export.pipeline.report import refused
from whileai_export.pipeline.verdict import verdict
from whileai_export.pipeline.written import written_to
from whileai_export.shared.schema import WireFormat
from whileai_export.shared.tally import Tally


class Workbench:
    """The staged files of one export. Leaving it by an error discards them."""

    def __init__(
        self,
        source: object,
        found: Source,
        targets: Mapping[WireFormat, Target],
        given: Given,
    ) -> None:
        self.found = found
        self.targets = targets
        quarantine = given.get("quarantine")
        self.staging = staging_for(source, found, targets.values(), quarantine)
        self.kept = Quarantine(self.staging, quarantine)

    def __enter__(self) -> Workbench:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is not None:
            self.staging.discard()

    @contextmanager
    def joined(self, job: Job, made: Iterable[Part], nothing: M) -> Iterator[Join[M]]:
        """All parts, joined in order."""
        with Join(job, self.kept.keep, nothing, spool_folder(self.targets)) as join:
            for part in made:
                join.take(part)
            yield join

    def outcome(
        self,
        report: dict[str, Any],
        job: Job,
        tally: Tally,
        join: Join[M],
        *,
        grouped: bool = False,
    ) -> Outcome:
        """What was joined, judged by its report and its tally, and finished where that is fine.

        ``grouped``: every row gets the columns of its task's group.
        """
        refusal = verdict(report, job, tally)
        if refusal is not None:
            self.staging.discard()
            report["source"].update(content_of(self.found))
            whole = refused(report, refusal)
            return Outcome(whole, refusal, self.staging, self.targets, empty=True)
        groups = join.index.groups() if grouped else None
        with Aside() as aside:
            content = aside.begin(content_of, self.found)
            finishing = Finishing(join, self.staging, job, groups, aside)
            report["outputs"] = finishing.files(self.targets)
            report["source"].update(content.result())
        report.update(written_to(report["outputs"], join.written))
        return Outcome(
            report,
            None,
            self.staging,
            self.targets,
            empty=not join.written,
            former=self.kept.former(),
        )
