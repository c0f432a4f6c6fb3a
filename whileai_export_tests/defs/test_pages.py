from __future__ import annotations

import sys
from pathlib import Path

import pytest

from whileai_export.defs import pages

LOUD = "telemetry: {enabled: false}\nnux: {enabled: false}\n"
CALM = f"{LOUD}python_logs: {{python_log_level: WARNING}}\n"


def settings(folder: Path) -> str:
    return (folder / "dagster.yaml").read_text("utf-8")


def test_runs_say_on_the_terminal_what_went_wrong_alone_unless_somebody_asks(tmp_path: Path):
    pages.settle(tmp_path)
    assert settings(tmp_path) == CALM
    pages.prepare(tmp_path, True)
    assert settings(tmp_path) == LOUD
    pages.settle(tmp_path)
    assert settings(tmp_path) == LOUD
    pages.prepare(tmp_path, False)
    assert settings(tmp_path) == CALM


def test_settings_that_somebody_wrote_stay(tmp_path: Path):
    (tmp_path / "dagster.yaml").write_text("nux: {enabled: true}\n", "utf-8")
    pages.settle(tmp_path)
    pages.prepare(tmp_path, True)
    assert settings(tmp_path) == "nux: {enabled: true}\n"


def test_the_pages_load_the_project(tmp_path: Path):
    pages.settle(tmp_path)
    pages.prepare(tmp_path, False)
    assert (tmp_path / "workspace.yaml").read_text("utf-8") == (
        "load_from:\n  - python_module:\n      module_name: whileai_export.definitions\n"
        "      location_name: whileai_export\n"
    )


@pytest.mark.parametrize(("everything", "level"), [(False, "warning"), (True, "info")])
def test_they_start_on_this_machine_alone_and_a_file_gets_no_colours(
    everything: bool, level: str, monkeypatch: pytest.MonkeyPatch
):
    dagster = [sys.executable, "-W", "ignore:Function `dev_command` is superseded", "-m", "dagster"]
    dev = ["dev", "-w", "workspace.yaml", "-h", "127.0.0.1", "-p", "3456"]
    levels = ["--log-level", level, "--code-server-log-level", level]
    monkeypatch.setattr("sys.stdout.isatty", lambda: False, raising=False)
    plain = ["--log-format", "json"]
    assert pages.start(3456, everything) == [*dagster, *dev, *levels, *plain]
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert pages.start(3456, everything) == [*dagster, *dev, *levels]
