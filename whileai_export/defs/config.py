"""What a run may choose in the launchpad or in a backfill's dialog: every field is optional.

A field that is left out leaves the dataset's option as it is; the defaults shown here hold where
the dataset says nothing either.
"""

from __future__ import annotations

from typing import Any

import dagster as dg
from pydantic import Field


class RunConfig(dg.Config):
    """Options of one run; what it does not say stays as it was configured."""

    def chosen(self) -> dict[str, Any]:
        """The options that this run sets."""
        return self.model_dump(exclude_unset=True)


class InputConfig(RunConfig):
    """How the rows of a simulation are read."""

    adapter: str | None = Field(
        None, description="pkg.mod:function that turns a row of yours into one we read"
    )


class RowsConfig(InputConfig):
    """How the rows of a simulation are staged."""

    on_bad_row: str = Field(
        "quarantine", description="refuse, or quarantine: leave unreadable rows out"
    )
    on_leak: str = Field("refuse", description="refuse, or quarantine: leave leaking rows out")
    max_quarantined: float = Field(0.05, description="the share of rows that may go to quarantine")
    strict: bool = Field(False, description="refuse on findings of structure too")


class _PublishedConfig(RunConfig):
    formats: list[str] = Field(["openai", "trl"], description="wire formats to write")
    min_reward: float | None = Field(
        0.5, description="least reward of a taught row; null takes ungraded rows too"
    )
    drop_failed: bool = Field(
        True, description="leave out rollouts that ended in an error or were cut"
    )
    trim_tail: bool = Field(True, description="leave out the turns after the last assistant turn")
    strip_think: bool = Field(True, description="remove reasoning from assistant turns")
    columns: list[str] | None = Field(
        None, description="further columns to publish beside the format's own"
    )
    tokenizer: str | None = Field(None, description="a tokenizer.json to measure rows with")
    max_tokens: int | None = Field(None, description="rows past this length are warned of")
    drop_long: bool = Field(False, description="leave rows past max_tokens out")
    reload: str = Field(
        "auto",
        description="load the files as a trainer does before they are put in place: off, warn,"
        " refuse, or auto: warn where the package datasets is installed",
    )


class SftConfig(_PublishedConfig):
    """How staged rows become supervised fine-tuning rows."""

    unroll: bool = Field(False, description="one row an assistant turn")
    mask_mode: str = Field("assistant", description="turns that are trained: assistant or final")
    max_tool_output_chars: int | None = Field(
        None, description="cut tool output to that many characters"
    )
    dedupe: bool = Field(True, description="write equal conversations once")
    max_per_task: int | None = Field(None, description="rows kept of each task; all")


class PreferenceConfig(_PublishedConfig):
    """How staged rollouts become preference pairs."""

    min_margin: float = Field(0.3, description="least difference in reward of a pair")
    max_pairs_per_task: int = Field(1, description="pairs made of each task")
    length_match: bool = Field(True, description="prefer a rejected reply of like length")
    drop_ties: bool = Field(True, description="make no pair of equal rewards")
