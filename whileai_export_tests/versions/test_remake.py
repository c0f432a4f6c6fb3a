from __future__ import annotations

from dataclasses import replace

import pytest

from whileai_export.shared.careful import CAREFUL_PAIRS, CAREFUL_SFT
from whileai_export.shared.errors import OptionError
from whileai_export.shared.options import PairOptions, SftOptions, plain
from whileai_export.versions.remake import options_from


def test_recorded_options_come_back() -> None:
    odd = replace(CAREFUL_SFT, unroll=True, columns=("row_id",), max_tool_output_chars=9)
    assert options_from(SftOptions, plain(odd)) == odd
    assert options_from(PairOptions, plain(CAREFUL_PAIRS)) == CAREFUL_PAIRS


def test_an_option_of_another_program_is_refused() -> None:
    with pytest.raises(OptionError, match=r"options of the manifest: .*shade"):
        options_from(SftOptions, {**plain(CAREFUL_SFT), "shade": 1})
