import pytest

from whileai_export.core.turn_keys import keys_dropped
from whileai_export.shared.errors import BadRow


def test_the_keys_of_a_turn_are_kept():
    assert keys_dropped({"role": "user", "content": "x"}, "user") == {}


def test_other_keys_are_counted_where_they_have_a_value():
    value = {"role": "user", "content": "x", "name": "Ada", "id": 7, "refusal": None}
    assert keys_dropped(value, "user") == {"message_keys_dropped": 2}


def test_a_weight_on_an_assistant_turn_is_the_format_fireworks():
    value = {"role": "assistant", "content": "x", "weight": 0}
    with pytest.raises(BadRow, match="got a row of format fireworks") as refused:
        keys_dropped(value, "assistant")
    assert refused.value.at == ".weight"


def test_calls_outside_an_assistant_turn_are_refused():
    with pytest.raises(BadRow, match="expected calls in an assistant turn, got them in a user"):
        keys_dropped({"role": "user", "content": "x", "tool_calls": [{"name": "f"}]}, "user")
