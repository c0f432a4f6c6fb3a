"""Staged lines to whole files beside their targets."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whileai_export.io import remote
from whileai_export.io.aside import Aside
from whileai_export.io.hashing import file_sha256
from whileai_export.io.part import check_room
from whileai_export.io.source import Source
from whileai_export.io.staging import Staging
from whileai_export.pipeline.dates import Dates
from whileai_export.pipeline.finish import Constants, complete, layout
from whileai_export.pipeline.job import Job
from whileai_export.pipeline.join import Join, Track
from whileai_export.pipeline.outcome import Target
from whileai_export.pipeline.report import source_counts
from whileai_export.shared.errors import OptionError
from whileai_export.shared.schema import GROUP_FIELDS, JsonObject, WireFormat
from whileai_export.shared.tally import Tally


def staging_for(
    source: object, found: Source, targets: Iterable[Target], quarantine: Target | None = None
) -> Staging:
    """A staging area that no target of which is the source, however it is spelled."""
    targets = list(targets)
    never: list[str | Path] = [] if found.path is None else [found.path]
    if isinstance(source, str | os.PathLike):
        text = os.fspath(source)
        never.append(text if isinstance(text, str) else os.fsdecode(text))
    for target in (*targets, quarantine):
        # Staging looks at what it opens; what is only withdrawn must not be the source either.
        if isinstance(target, Path) and found.path is not None and _same(target, found.path):
            raise OptionError(f"{target}: the output is the source; name another")
        if isinstance(target, Path):
            check_room(target)
    staging = Staging(never)
    if isinstance(quarantine, Path) and any(
        isinstance(target, Path) and target.parent == quarantine.parent for target in targets
    ):
        staging.make_room(quarantine)
    return staging


def _same(one: Path, other: Path) -> bool:
    try:
        return os.path.samefile(one.expanduser(), other)
    except OSError:
        return False


def spool_folder(targets: Mapping[WireFormat, Target]) -> Path | None:
    """Where there is room for the output there is room for what comes before it."""
    folders = [target.parent for target in targets.values() if isinstance(target, Path)]
    return next((folder for folder in folders if folder.is_dir()), None)


@dataclass(frozen=True, slots=True)
class Finishing:
    """The last pass over what was joined. ``groups`` holds the fields of every task."""

    join: Join[Any]
    staging: Staging
    job: Job
    groups: list[JsonObject] | None
    aside: Aside

    def files(self, targets: Mapping[WireFormat, Target]) -> list[dict[str, Any]]:
        """Stage the file of every format that has a line; what the report says of each."""
        return [
            self._file(self.join.tracks[name], name, target)
            for name, target in targets.items()
            if self.join.tracks[name].known
        ]

    def _file(self, track: Track, name: WireFormat, target: Target) -> dict[str, Any]:
        late = ["source_line"] if any(track.lines) else []
        late += [*(["row_id"] if self.job.numbered else []), *(GROUP_FIELDS if self.groups else ())]
        form = layout(track, late if name != "fireworks" else [])
        sink = self.staging.open(target, private=self.job.private)
        longest, dates, place = 1, Dates(form.columns), 0
        brought = [frozenset(signature.brought) for signature in track.known]
        for block in complete(track, form, self.groups, Constants(self.job.around)):
            self.aside.write(sink.write, block)
            lines = io.BytesIO(block).readlines()
            longest = max(longest, *map(len, lines))
            if dates.open:
                for line, signature in zip(lines, track.signatures[place:], strict=False):
                    if not dates.open.isdisjoint(brought[signature]):
                        dates.look(line)
                place += len(lines)
        self.aside.settle()
        sink.finish()
        return {
            "format": name,
            "path": shown(target),
            "rows": len(track.tasks),
            "columns": dates.kinds(form.columns),
            "longest_line": longest - 1,
            "sha256": sink.sha256,
            "bytes": sink.size,
        }


def shown(target: Target) -> str:
    """A target in a report: a URL without what may be secret in it."""
    return remote.shown(target) if isinstance(target, str) else str(target)


def source_of(found: Source, tally: Tally) -> dict[str, Any]:
    """The source in a report: what it is called, and what its rows had."""
    return {"label": found.label, "kind": found.kind, **source_counts(tally)}


def content_of(found: Source) -> dict[str, Any]:
    """The source in a report: the digest and size of its file, where it is one."""
    if found.path is None:
        return {}
    return {"sha256": file_sha256(found.path), "bytes": found.path.stat().st_size}
