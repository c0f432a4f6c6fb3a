"""The one place that knows the folders of a home, and which names may become one of them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import dagster as dg
from pydantic import Field

from whileai_export.shared.errors import SourceError
from whileai_export.shared.options import FORMATS
from whileai_export.shared.plain_name import plain_name
from whileai_export.shared.schema import WireFormat

HOME_VARIABLE = "WHILEAI_EXPORT_HOME"
SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.zst")


def suffix_of(name: str) -> str:
    """The suffix by which a file is a simulation; nothing where it is none."""
    return next((suffix for suffix in SUFFIXES if name.endswith(suffix)), "")


def default_home() -> Path:
    """``WHILEAI_EXPORT_HOME``, else ``export_home`` in the folder the process started in."""
    return Path(os.environ.get(HOME_VARIABLE) or "export_home").resolve()


@dataclass(frozen=True, slots=True)
class Folders:
    """Where one dataset keeps its files. Every path that is handed out lies under the home."""

    home: Path
    dataset: str | None = None

    def simulation(self, name: str) -> Path:
        """The folder of a simulation, or the one file it is; where there is none, its folder to be.

        Refused where two could be meant, and where a file that is none has the name.
        """
        folder = self._under("simulations", plain_name(name))
        files = [self._under("simulations", name + suffix) for suffix in SUFFIXES]
        found = [folder] * os.path.isdir(folder) + [path for path in files if os.path.isfile(path)]
        if len(found) > 1:
            names = ", ".join(path.name for path in found)
            raise SourceError(f"simulation {name}: expected one folder or file, got {names}")
        if not found and os.path.exists(folder):
            raise SourceError(f"simulation {name}: {_no_simulation(name)}")
        return found[0] if found else folder

    def training_rows(self, name: str) -> Path:
        """The private canonical rows of a simulation."""
        return self._kept("training_rows", plain_name(name) + ".jsonl")

    def training_rows_report(self, name: str) -> Path:
        """What was staged, from which input. Written last: without it nothing is staged."""
        return self._kept("training_rows", plain_name(name) + ".report.json")

    def published(self, kind: str, name: str) -> Path:
        """The folder that trainers read: ``sft`` or ``preference`` of one simulation."""
        return self._kept(kind, plain_name(name))

    def published_files(self, kind: str, name: str) -> dict[WireFormat, Path]:
        """The file of every format, whether it is there or not."""
        return {
            format: self._kept(kind, plain_name(name), f"{kind}.{format}.jsonl")
            for format in FORMATS
        }

    def report(self, asset: str, name: str) -> Path:
        """What an asset recorded of its latest attempt that passed."""
        if asset == "training_rows":
            return self.training_rows_report(name)
        return self.published(asset.removesuffix("_jsonl"), name) / "report.json"

    def quarantine(self, name: str) -> Path:
        """Rows a gate set aside, whole and private."""
        return self._kept("quarantine", plain_name(name) + ".jsonl")

    def refusal(self, asset: str, name: str) -> Path:
        """What the latest attempt at an asset was refused for; absent once it passes."""
        return self._kept("refusals", asset, plain_name(name) + ".json")

    def _kept(self, kind: str, *parts: str) -> Path:
        return self._under(kind, *((self.dataset,) if self.dataset else ()), *parts)

    def _under(self, *parts: str) -> Path:
        return self.checked(self.home.joinpath(*parts))

    def checked(self, path: Path) -> Path:
        """The path itself; refused where a link leads it out of the home, or in a circle."""
        try:
            resolved = path.resolve()
            strays = not resolved.is_relative_to(self.home.resolve())
            got = "a link out of it" if path.is_relative_to(self.home) else "one outside of it"
            if os.path.islink(resolved):  # Python 3.13 goes no further round a circle
                strays, got = True, "a link that leads nowhere"
        except (OSError, RuntimeError):  # which of them a circle is depends on the Python
            strays, got = True, "a link that leads nowhere"
        if strays:
            inside = path.is_relative_to(self.home)
            said = (path.relative_to(self.home) if inside else path).as_posix()
            raise SourceError(f"{said}: expected a path under the home, got {got}")
        return path


def _no_simulation(name: str) -> str:
    """Why a file of that very name is no simulation."""
    suffix = suffix_of(name)
    if suffix:
        return f"expected the name without {suffix}, {name.removesuffix(suffix)}"
    return f"expected a folder, or a file that ends in {', '.join(SUFFIXES)}; got another file"


class Datasets(dg.ConfigurableResource):  # type: ignore[type-arg]
    """Simulations in, datasets out: the folders under one home, and the hands that fill them.

    ``workers``: processes that one step may use; what it writes is the same with any number.
    """

    home: str = ""
    workers: int = Field(default=1, ge=1)

    def of(self, dataset: str | None = None) -> Folders:
        """The folders of one dataset; the unnamed one where no name is given."""
        return Folders(Path(self.home).resolve() if self.home else default_home(), dataset)
