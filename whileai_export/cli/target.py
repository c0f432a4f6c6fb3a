"""Where a command writes: a path, or a URL as text."""

from __future__ import annotations

import os.path
from pathlib import Path

import click

from whileai_export.pipeline.outcome import Target
from whileai_export.pipeline.places import target_of
from whileai_export.shared.schema import WireFormat

_PACKED = (".gz", ".zst", "")


def place(_: click.Context, __: click.Parameter, value: str | None) -> Target | None:
    """The place that an option names. Files are put in place whole, so no stream is one."""
    if value is None:
        return None
    if value == "-":
        raise click.BadParameter("a file is put in place whole, never written to -; name a file")
    target = target_of(value)
    if isinstance(target, Path) and os.path.isdir(target):
        raise click.BadParameter(f"{value!r} is a folder; name a file in it")
    return target


def beside(target: Target, name: str) -> Target:
    """Another name in the folder of a target, or in the store's."""
    folder, slash, _ = str(target).rpartition("/")
    return type(target)(f"{folder}{slash}{name}")


def of_format(target: Target, format: WireFormat) -> Target:
    """The file of one of several formats: ``o.jsonl`` is ``o.trl.jsonl``."""
    name = str(target).rpartition("/")[2]
    packed = next(suffix for suffix in _PACKED if name.endswith(suffix))
    stem = name.removesuffix(packed).removesuffix(".jsonl")
    return beside(target, f"{stem}.{format}.jsonl{packed}")
