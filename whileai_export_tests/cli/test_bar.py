from __future__ import annotations

import os
import time
from functools import partial
from pathlib import Path

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


def test_a_pipe_sees_no_steps():
    with bars.following("running a") as watching:
        assert watching is None


@pytest.mark.usefixtures("terminal")
def test_every_step_that_takes_long_has_a_bar_of_its_own(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(bars, "PATIENCE", -1.0)
    with bars.following("running a") as watching:
        assert watching is not None
        for step, rows in (("training_rows", 1200), ("sft_jsonl", 900)):
            watching(step)(rows, 10_000, 20_000)
    shown = capfd.readouterr().err
    assert "running a: training_rows  1,200 rows" in shown
    assert "running a: sft_jsonl  900 rows" in shown


@pytest.mark.usefixtures("terminal")
def test_a_step_that_has_read_all_shows_a_sign_of_life_again(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(bars, "PATIENCE", -1.0)
    with bars.following("running a") as watching:
        assert watching is not None
        watching("preference_jsonl")(900, 20_000, 20_000)
        capfd.readouterr()
        time.sleep(0.3)
        assert "running a" in capfd.readouterr().err


@pytest.mark.usefixtures("terminal")
def test_it_is_seen_while_the_output_of_a_step_goes_to_a_file(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr(bars, "PATIENCE", -1.0)
    with bars.following("running a") as watching, (tmp_path / "err").open("w") as elsewhere:
        assert watching is not None
        terminal = os.dup(2)
        os.dup2(elsewhere.fileno(), 2)
        watching("training_rows")(1200, 10_000, 20_000)
        os.dup2(terminal, 2)
        os.close(terminal)
    assert "1,200 rows" in capfd.readouterr().err
    assert (tmp_path / "err").read_text("utf-8") == ""


@pytest.mark.usefixtures("terminal")
def test_a_label_is_shown_as_it_is_whatever_stands_in_it(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(bars, "PATIENCE", -1.0)
    with bars.waiting("[red]a\x07[/red]"):
        time.sleep(0.2)
    with bars.bar("[red]b\x07[/red]") as progress:
        assert progress is not None
        progress(9, 1, 2)
    shown = capfd.readouterr().err
    assert "[red]a\\x07[/red]" in shown
    assert "[red]b\\x07[/red]" in shown
    assert "\x07" not in shown
