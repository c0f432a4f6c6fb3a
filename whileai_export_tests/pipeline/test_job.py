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


@pytest.mark.parametrize("name", ["", "same", ":same", "pkg.mod:", ".mod:same", "a b:same", 7])
def test_what_is_no_name_of_a_function_is_refused(name):
    with pytest.raises(OptionError, match=r"adapter: expected pkg\.mod:function, got"):
        resolve_adapter(name)


def test_a_module_that_cannot_be_imported_is_told_with_the_reason(tmp_path, monkeypatch):
    (tmp_path / "broken_adapter.py").write_text("1 / 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    for name, problem in (
        ("no.such:same", "'no.such' cannot be imported: ModuleNotFoundError: No module named 'no'"),
        ("broken_adapter:same", "'broken_adapter' cannot be imported: ZeroDivisionError: division"),
    ):
        with pytest.raises(OptionError, match=f"adapter: module {problem}"):
            resolve_adapter(name)


def test_a_function_that_a_module_does_not_have_is_told_with_the_nearest():
    problem = f"adapter: module '{__name__}' has no function 'sane'; did you mean 'same'?"
    with pytest.raises(OptionError) as refused:
        resolve_adapter(f"{__name__}:sane")
    assert str(refused.value) == problem


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
