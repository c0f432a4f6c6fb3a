from __future__ import annotations

from whileai_export.demo import simulation


def test_a_tool_says_which_arguments_it_must_have():
    assert simulation.tool("book", "Books.", "day", minutes="integer") == {
        "type": "function",
        "function": {
            "name": "book",
            "description": "Books.",
            "parameters": {
                "type": "object",
                "properties": {"day": {"type": "string"}, "minutes": {"type": "integer"}},
                "required": ["day"],
            },
        },
    }


def test_an_assistant_turn_without_calls_has_no_key_for_them():
    assert simulation.assistant("Yes.") == {"role": "assistant", "content": "Yes."}


def test_a_grade_names_the_policy_that_was_played():
    grade = simulation.graded("t-1", 2, "Be brief.", 0.5, "fair")
    assert grade["lineage"] == {"system_prompt_sha": "213c22ed7234eb11"}
