from __future__ import annotations

import pytest

from whileai_export.defs.config import PreferenceConfig, RowsConfig, RunConfig, SftConfig
from whileai_export.defs.defaults import PAIRS, ROWS, SFT
from whileai_export.shared.options import Options, plain


@pytest.mark.parametrize(
    ("config", "careful"),
    [
        (RowsConfig, ROWS),
        (SftConfig, SFT),
        (PreferenceConfig, PAIRS),
    ],
)
def test_the_dialog_shows_the_careful_defaults(config: type[RunConfig], careful: Options):
    shown = config().model_dump(exclude={"columns"})
    assert shown == {name: plain(careful)[name] for name in shown}


@pytest.mark.parametrize("config", [RowsConfig, SftConfig, PreferenceConfig])
def test_every_field_says_what_it_does(config: type[RunConfig]):
    assert all(field.description for field in config.model_fields.values())


def test_a_run_chooses_what_it_says_and_nothing_else():
    assert SftConfig().chosen() == {}
    assert SftConfig(min_reward=None).chosen() == {"min_reward": None}
    assert SftConfig(min_reward=0.5).chosen() == {"min_reward": 0.5}
