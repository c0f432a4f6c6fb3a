"""The public names are the documented ones, with the documented keywords and defaults."""

from __future__ import annotations

import inspect

import whileai_export

SEED = {
    "export_dataset": """source output=None system_prompt=None tools=None strip_think=True
        validate=True mask_mode='assistant' unroll=False max_tool_output_chars=None
        format='openai'""",
    "export_preference": """pairs output=None system_prompt=None tools=None strip_think=True
        validate=True drop_ties=True format='openai'""",
    "loss_mask": "messages mode='assistant'",
    "to_trl": "rows kind='training'",
    "tool_call_roundtrip": "rows format='openai'",
    "training_rows": """source system_prompt=None tools=None strip_think=True
        mask_mode='assistant' unroll=False max_tool_output_chars=None""",
}
BESIDE = {
    "ExportError",
    "GateError",
    "OptionError",
    "SourceError",
    "build_preference_pairs",
    "export_training",
    "leak_report",
    "save_simulation",
}
EXPORTERS_TOO = """on_bad_row='refuse' on_leak='refuse' quarantine=None max_quarantined=0.05
    strict=False min_reward=None drop_failed=False dedupe=False max_per_task=None trim_tail=False
    columns=None adapter=None workers=1 executor=None progress=None max_row_bytes=67108864"""


def said(name: str, *kinds: inspect._ParameterKind) -> list[str]:
    parameters = inspect.signature(getattr(whileai_export, name)).parameters.values()
    return [
        p.name if p.default is p.empty else f"{p.name}={p.default!r}"
        for p in parameters
        if p.kind in kinds
    ]


def test_all_is_sorted_and_complete():
    assert whileai_export.__all__ == sorted(SEED.keys() | BESIDE)


def test_every_public_name_is_there_and_says_what_it_does():
    for name in whileai_export.__all__:
        assert inspect.getdoc(getattr(whileai_export, name)), name


def test_the_documented_functions_keep_their_keywords_order_and_defaults():
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD,)
    assert {name: said(name, *kinds) for name in SEED} == {k: v.split() for k, v in SEED.items()}


def test_what_is_added_is_keyword_only_and_off():
    for name in ("export_dataset", "export_preference"):
        added = said(name, inspect.Parameter.KEYWORD_ONLY)
        assert set(EXPORTERS_TOO.split()) <= set(added), name


def test_the_two_spellings_of_the_exporter_are_one_object():
    assert whileai_export.export_training is whileai_export.export_dataset


def test_the_errors_are_value_errors_of_one_family():
    for name in ("GateError", "OptionError", "SourceError"):
        error = getattr(whileai_export, name)
        assert issubclass(error, whileai_export.ExportError)
        assert issubclass(error, ValueError)
