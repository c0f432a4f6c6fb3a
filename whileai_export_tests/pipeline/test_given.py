from __future__ import annotations

import pytest

from whileai_export.pipeline.given import known
from whileai_export.pipeline.sft import write_sft
from whileai_export.shared.options import SftOptions
from whileai_export_tests.builders import chat_row


def test_every_keyword_may_be_left_out():
    assert known({}) == {}
    assert known({"workers": 2, "simulation": "night"}) == {"workers": 2, "simulation": "night"}


def test_a_keyword_that_no_export_takes_is_refused_by_name():
    with pytest.raises(TypeError, match="unexpected keyword arguments: system_promt, tool"):
        write_sft([chat_row()], {}, options=SftOptions(), system_promt="a", tool=[])
