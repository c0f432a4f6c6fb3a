from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import dagster as dg
import pytest

from whileai_export.defs.alerts import alerts, message, post
from whileai_export_tests.defs.homes import SECRET, Project, leaking


class Hook(HTTPServer):
    """A webhook that keeps what it is told."""

    told: list[Any]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook"


class Listener(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.told.append(json.loads(body))  # type: ignore[attr-defined]
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def hook() -> Iterator[Hook]:
    server = Hook(("127.0.0.1", 0), Listener)
    server.told = []
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def failed(project: Project) -> dg.RunFailureSensorContext:
    """What the sensor is given when a leaking simulation was refused."""
    project.add("night", leaking())
    result = project.run("night")
    return dg.build_run_status_sensor_context(
        sensor_name="alerts",
        dagster_instance=project.instance,
        dagster_run=result.dagster_run,
        dagster_event=result.get_run_failure_event(),
    ).for_run_failure()


def test_a_refusal_is_told_with_gate_counts_and_partition(project: Project, hook: Hook):
    result: Any = alerts(hook.url)(failed(project))
    assert result is None
    told = hook.told[0]
    assert (told["partition"], told["job"]) == ("night", "export_simulation")
    assert told["steps"][0]["gates"] == {"privileged_leak": 1}
    assert told["steps"][0]["counts"]["refused"] == 8
    assert told["text"].startswith("night failed: training_rows: privileged_leak: 1 of 8 rows.")
    assert str(project.home) not in json.dumps(told)
    assert SECRET not in json.dumps(told)


def test_the_environment_names_another_hook(
    project: Project, hook: Hook, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("WHILEAI_EXPORT_WEBHOOK", hook.url)
    alerts("http://127.0.0.1:9/nobody")(failed(project))
    assert len(hook.told) == 1


def test_without_a_hook_nothing_is_sent(project: Project, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("WHILEAI_EXPORT_WEBHOOK", raising=False)
    result: Any = alerts(None)(failed(project))
    assert isinstance(result, dg.SkipReason)


def test_a_hook_that_is_not_there_fails_nothing(project: Project):
    result: Any = alerts("http://127.0.0.1:9/nobody")(failed(project))
    assert result is None


@pytest.mark.parametrize("address", ["file:///etc/hostname", "nonsense", "ftp://127.0.0.1/a"])
def test_only_a_web_address_is_posted_to(address: str):
    assert post(address, {}) != ""


def test_of_a_crash_only_the_kind_is_told(project: Project, monkeypatch: pytest.MonkeyPatch):
    def crash(*_: object, **__: object) -> None:
        raise KeyError(SECRET)

    monkeypatch.setattr("whileai_export.defs.training_rows.stage_training_rows", crash)
    told = message(failed(project))
    assert told["steps"] == [{"step": "training_rows", "problem": "crashed: KeyError"}]
