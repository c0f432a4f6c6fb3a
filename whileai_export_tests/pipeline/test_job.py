from __future__ import annotations

from dataclasses import replace

import pytest

from whileai_export.pipeline.job import adapter_name, resolve_adapter
from whileai_export.shared.errors import OptionError
from whileai_export_tests.builders import job

NO_FUNCTION = 7


def same(row):
    return row


def test_an_adapter_is_itself_or_what_its_name_says():
    assert resolve_adapter(same) is same
    assert resolve_adapter(f"{__name__}:same").__name__ == "same"
    assert resolve_adapter(None) is None


@pytest.mark.parametrize("name", ["", "same", ":same", "no.such:same", f"{__name__}:missing"])
def test_a_name_that_leads_nowhere_is_refused(name):
    with pytest.raises(OptionError, match=r"adapter: expected pkg\.mod:function"):
        resolve_adapter(name)


def test_what_cannot_be_called_is_refused():
    with pytest.raises(OptionError, match="is not callable"):
        resolve_adapter(f"{__name__}:NO_FUNCTION")


def test_an_adapter_is_named_in_options_and_digests():
    assert adapter_name(same) == f"{__name__}:same"
    assert adapter_name("a.b:c") == "a.b:c"
    assert adapter_name(None) is None


def test_a_job_asks_for_nothing_by_itself():
    made = job()
    assert (made.private, made.numbered, made.extras, made.gates) == (False, False, (), ())


def test_evaluation_files_bring_a_gate_of_their_own():
    assert replace(job(), gates=("secrets",)).further_gates == ("secrets",)
    held = replace(job(), gates=("secrets",), holdout=frozenset({b"key"}))
    assert held.further_gates == ("secrets", "holdout")
