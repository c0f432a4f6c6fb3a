"""How a trainer loads a file: the types of its columns, a snippet that runs, its settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from whileai_export.shared.schema import WireFormat

_LISTS = dict.fromkeys(
    ("messages", "tools", "completion", "chosen", "rejected", "preferred_output",
     "non_preferred_output"),
    "list[json]",
)  # fmt: skip
_OWN = {**_LISTS, "loss_mask": "list[int64]", "input": "json", "label": "bool", "reward": "float64"}
_STEP = 256
#: Fewer bytes of a line a token than common tokenizers make, in any script.
BYTES_A_TOKEN = 3
#: Room for what our count of tokens cannot know of a chat template.
_MARGIN = 1.05


def column_types(columns: Mapping[str, Sequence[str]], format: str) -> dict[str, str]:
    """The declared type of every column, from the kinds of value that were written under it."""
    return {name: _type(name, format, kinds) for name, kinds in columns.items()}


def _type(name: str, format: str, kinds: Sequence[str]) -> str:
    if name == "prompt" and list(kinds) == ["json"]:
        return "string" if format == "openai" else "list[json]"
    if name in _OWN:
        return _OWN[name]
    if "date" in kinds:
        return "json"
    if set(kinds) == {"int64", "float64"}:
        return "float64"
    return kinds[0] if len(kinds) == 1 else "json"


def max_length(output: Mapping[str, Any], lengths: Mapping[str, Any] | None) -> int:
    """A ``max_length`` that cuts no row: from its tokens, else estimated from its longest line."""
    tokens = lengths.get("tokens") if lengths else None
    longest = tokens["max"] * _MARGIN if tokens else output["longest_line"] / BYTES_A_TOKEN
    return int(-(-longest // _STEP)) * _STEP


def settings(format: str, *, pairs: bool, length: int) -> str | None:
    """The trainer's configuration as TRL spells it; None for formats that are not for TRL."""
    room = f"max_length={length}"
    known: dict[tuple[str, bool], str] = {
        ("trl", False): f"SFTConfig(assistant_only_loss=True, {room})",
        ("trl-completion", False): f"SFTConfig(completion_only_loss=True, {room})",
        ("trl", True): f"DPOConfig({room})",
        ("trl-completion", True): f"DPOConfig({room})",
        ("kto", False): f"KTOConfig({room})",
    }
    return known.get((format, pairs))


def folder_snippet(name: str, config: str | None) -> str:
    """Python that loads one config of the folder it runs in."""
    # A loader wants the folder's name, which "." has not.
    rows = f'rows = load_dataset(os.getcwd(), "{name}", split="train")'
    imports = ["import os", "", *_imports("load_dataset", config)]
    return "\n".join([*imports, "", rows, *_configured(config)])


def file_snippet(
    path: str, columns: Mapping[str, Sequence[str]], format: WireFormat, config: str | None
) -> str:
    """Python that loads a file which has no card, its features declared."""
    typed = column_types(columns, format)
    features = [f"    {name!r}: {_feature(type_)}," for name, type_ in typed.items()]
    load = f'rows = load_dataset("json", data_files={path!r}, split="train", features=features)'
    return "\n".join(
        [
            *_imports("Features, Json, List, Value, load_dataset", config),
            "",
            "features = Features({",
            *features,
            "})",
            load,
            *_configured(config),
        ]
    )


def _feature(type_: str) -> str:
    if type_.startswith("list["):
        return f"List({_feature(type_[5:-1])})"
    return "Json()" if type_ == "json" else f"Value({type_!r})"


def _imports(names: str, config: str | None) -> list[str]:
    told = [f"from datasets import {names}"]
    return [*told, f"from trl import {config.split('(')[0]}"] if config else told


def _configured(config: str | None) -> list[str]:
    return [f"config = {config}"] if config else []
