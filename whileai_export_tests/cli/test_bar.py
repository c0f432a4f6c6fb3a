from __future__ import annotations

from functools import partial

import pytest
from rich.console import Console

from whileai_export.cli import bar as bars


def test_nobody_watches_in_a_pipe():
    with bars.bar("runs.jsonl") as watcher:
        assert watcher is None


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bars, "on_a_terminal", lambda: True)
    monkeypatch.setattr(bars, "Console", partial(Console, force_terminal=True, width=100))


@pytest.mark.usefixtures("terminal")
def test_nobody_watches_for_a_machine():
    with bars.bar("runs.jsonl", quiet=True) as watcher:
        assert watcher is None


@pytest.mark.usefixtures("terminal")
def test_nothing_is_shown_for_the_first_second(capsys: pytest.CaptureFixture[str]):
    with bars.bar("runs.jsonl") as watcher:
        assert watcher is not None
        watcher(100, 10_000, 20_000)
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("terminal")
def test_after_that_the_rows_are(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(bars, "PATIENCE", -1.0)
    with bars.bar("runs.jsonl") as watcher:
        assert watcher is not None
        watcher(1200, 10_000, 20_000)
        watcher(2400, 20_000, None)
    assert "1,200 rows" in capsys.readouterr().err


def test_a_pipe_sees_no_sign_of_life(capsys: pytest.CaptureFixture[str]):
    with bars.waiting("running a"):
        pass
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("terminal")
def test_a_terminal_sees_what_is_running(capsys: pytest.CaptureFixture[str]):
    with bars.waiting("running a"):
        pass
    assert "running a" in capsys.readouterr().err
