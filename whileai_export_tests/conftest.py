"""Generated tests are the same in every run, however slow the machine is; stores are empty."""

from collections.abc import Iterator
from typing import Any

import fsspec
import pytest
from hypothesis import HealthCheck, settings

_STEADY = settings(
    derandomize=True,
    max_examples=60,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("steady", _STEADY)
settings.register_profile("thorough", _STEADY, max_examples=1000)
settings.load_profile("steady")


@pytest.fixture
def memory() -> Iterator[Any]:
    """The store behind ``memory://``, with nothing in it."""
    store = fsspec.filesystem("memory")
    store.store.clear()
    yield store
    store.store.clear()
