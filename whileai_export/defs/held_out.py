"""The evaluation files of a dataset: no published row may have one of their tasks or asks."""

from __future__ import annotations

from whileai_export.defs.dataset import Dataset
from whileai_export.defs.resources import Folders
from whileai_export.pipeline.evaluation import load_holdout
from whileai_export.pipeline.records import file_sha256
from whileai_export.shared.errors import OptionError

#: The assets that are compared with them.
PUBLISHED = ("sft_jsonl", "preference_jsonl")


def evaluation_files(dataset: Dataset, folders: Folders) -> dict[str, str]:
    """The sha256 of every evaluation file that the options name, by its path under the home."""
    options = dataset.options
    return {name: _digest(folders, name, options.holdout_from) for name in options.holdout}


def held_out(dataset: Dataset, folders: Folders) -> frozenset[bytes]:
    """What the rows of the evaluation files are recognised by; nothing where none are named."""
    return load_holdout(folders.home / name for name in evaluation_files(dataset, folders))


def _digest(folders: Folders, name: str, table: str) -> str:
    path = folders.checked(folders.home / name)
    try:
        return file_sha256(path)
    except OSError:
        named = f" (export.toml, {table})" if table else ""
        raise OptionError(f"holdout: expected a file under the home, got {name!r}{named}") from None
