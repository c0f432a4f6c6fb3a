from __future__ import annotations

import json

import pytest

from whileai_export_tests.hard_inputs.rows import shows
from whileai_export_tests.hard_inputs.test_arguments import arguments_of


@shows("args-extreme")
@pytest.mark.parametrize("format", ["openai", "trl"])
@pytest.mark.parametrize("as_text", [True, False])
def test_two_hundred_levels_of_arguments_are_written(tmp_path, format, as_text):
    text = '{"a":' * 200 + "1" + "}" * 200
    given = text if as_text else json.loads(text)
    written = text if format == "openai" else json.loads(text)
    assert arguments_of(tmp_path, given, format=format) == (written, {})
