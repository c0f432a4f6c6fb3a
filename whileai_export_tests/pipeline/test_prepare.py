from __future__ import annotations

import pytest

from whileai_export.io.source import Source
from whileai_export.pipeline.prepare import checked, job_for
from whileai_export.shared.errors import OptionError, SourceError
from whileai_export.shared.options import PairOptions, SftOptions
from whileai_export.shared.schema import Surroundings

BARE = {"name": "f", "parameters": {"type": "object"}}
WRAPPED = {"type": "function", "function": BARE}


def prepared(options=None, around=None, private=False, **given):
    found = Source("rows", "rows", around or Surroundings())
    return job_for(found, options or SftOptions(), given, private=private)


def adapt(row):
    return row


def test_the_adapters_name_is_one_of_the_options():
    assert checked(SftOptions(), adapt).adapter == f"{__name__}:adapt"
    assert checked(PairOptions(adapter="a:b"), None).adapter == "a:b"


def test_what_no_export_could_mean_is_refused_before_a_row_is_read():
    with pytest.raises(OptionError, match="columns: rubric are private"):
        checked(SftOptions(columns=("rubric",)), None)


def test_tools_are_declared_as_chat_completions_declare_them():
    assert prepared(tools=[BARE]).around.tools == [WRAPPED]
    around = Surroundings(source_tools=[BARE], tools_from="profile")
    assert prepared(around=around).around.source_tools == [WRAPPED]


def test_no_tools_are_no_tools():
    assert prepared(tools=[]).around.tools is None
    assert prepared(system_prompt="").around.system_prompt is None


def test_tools_that_are_none_are_the_callers_or_the_sources():
    with pytest.raises(OptionError, match=r"tools\[0\]: expected a tool, got text"):
        prepared(tools=["f"])
    with pytest.raises(SourceError, match=r"tools of the sidecar\[0\]: expected a tool"):
        prepared(around=Surroundings(source_tools=["f"], tools_from="sidecar"))


def test_half_a_character_in_a_prompt_is_replaced():
    assert prepared(system_prompt="a\ud800").around.system_prompt == "a\ufffd"


def test_rows_are_numbered_where_their_ids_are_kept():
    assert prepared(private=True).numbered
    assert prepared(SftOptions(columns=("row_id",))).numbered
    assert not prepared().numbered


def test_columns_that_rows_do_not_carry_by_themselves_are_extras():
    assert prepared(SftOptions(columns=("reward", "city", "task", "group_id"))).extras == ("city",)
