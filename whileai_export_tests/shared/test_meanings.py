from __future__ import annotations

import pytest

from whileai_export.pipeline.columns import OWN, PUBLISHED, PUBLISHED_PAIRS
from whileai_export.shared.meanings import MEANINGS, meaning
from whileai_export.shared.schema import GROUP_FIELDS


@pytest.mark.parametrize(
    ("column", "kind", "said"),
    [
        ("n1", "int64", "rollouts of the task with a reward above 0.5"),
        ("prompt", "string", "the ask"),
        ("prompt", "json", "the messages before the completion"),
        ("meta_model", "string", ""),
    ],
)
def test_a_column_says_what_it_means(column: str, kind: str, said: str):
    assert meaning(column, kind) == said


def test_everything_that_is_published_without_being_asked_for_has_a_meaning():
    published = {*OWN, *PUBLISHED, *PUBLISHED_PAIRS, *GROUP_FIELDS} - {"prompt"}
    assert published <= MEANINGS.keys()
