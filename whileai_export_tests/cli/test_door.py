from __future__ import annotations

from pathlib import Path

import pytest

from whileai_export.cli import door


@pytest.mark.parametrize(
    ("called", "typed"),
    [
        (".venv/bin/whileai-export", ".venv/bin/whileai-export"),
        ("/elsewhere/bin/whileai-export", "/elsewhere/bin/whileai-export"),
        ("whileai_export/__main__.py", "/usr/bin/python3 -m whileai_export"),
    ],
)
def test_the_program_is_named_as_it_can_be_typed_again(
    called: str, typed: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("sys.argv", [called])
    monkeypatch.setattr("sys.executable", "/usr/bin/python3")
    assert door.program() == typed


def test_a_program_below_here_is_named_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [str(tmp_path / "bin" / "whileai-export")])
    assert door.program() == "bin/whileai-export"


def test_a_program_on_the_path_is_named_alone(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.argv", ["/usr/bin/whileai-export"])
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    assert door.program() == "whileai-export"


def test_a_command_is_quoted_for_the_shell(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.argv", ["bin/whileai-export"])
    assert door.command("check", "my runs.jsonl") == "bin/whileai-export check 'my runs.jsonl'"


def test_settings_read_as_options_of_an_export():
    settings = {"on_leak": "quarantine", "max_quarantined": 0.1}
    assert door.flags(settings) == ["--on-leak", "quarantine", "--max-quarantined", "0.1"]


def test_a_switch_that_is_turned_off_reads_as_no():
    assert door.flags({"strict": False}) == ["--no-strict"]


@pytest.mark.parametrize(
    ("typed", "settings", "again"),
    [
        ("export a.jsonl --on-leak refuse", {"on_leak": "quarantine"}, "--on-leak quarantine"),
        ("export --on-leak=refuse a.jsonl", {"on_leak": "quarantine"}, "--on-leak quarantine"),
        ("export a.jsonl --strict --strict", {"strict": False}, "--no-strict"),
        ("export a.jsonl --no-validate", {"validate": True}, "--validate"),
        ("export -n 6 a.jsonl", {"rows": 7}, "-n 7"),
        ("export -n6 a.jsonl", {"rows": 7}, "-n 7"),
        ("export --rows=6 a.jsonl", {"rows": 7}, "-n 7"),
    ],
)
def test_a_call_that_is_said_again_says_every_setting_once(
    typed: str, settings: dict[str, object], again: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("sys.argv", ["bin/whileai-export"])
    called = door.Door(lambda: pytest.fail("no project is needed"), tuple(typed.split()))
    assert called.again(settings) == f"bin/whileai-export export a.jsonl {again}"
