"""``dagster dev`` over a home of its own, and the questions the tests ask its webserver."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
REPOSITORY = {"repositoryName": "__repository__", "repositoryLocationName": "whileai_export"}
ASSETS = ("graded_simulations", "training_rows", "sft_jsonl", "preference_jsonl")

_LOADED = "{ workspaceOrError { ... on Workspace { locationEntries { loadStatus } } } }"
_RUNS = """{ runsOrError(limit: 100) { ... on Runs {
  results { runId status tags { key value } } } } }"""
_LAUNCH = """mutation($p: LaunchBackfillParams!) { launchPartitionBackfill(backfillParams: $p) {
  __typename ... on LaunchBackfillSuccess { backfillId } ... on PythonError { message }
  ... on PartitionKeysNotFoundError { message } } }"""
_CHECKS = """query($k: AssetKeyInput!, $check: String!, $part: String) {
  assetCheckExecutions(assetKey: $k, checkName: $check, limit: 9, partition: $part) {
    runId status partition evaluation { success description } } }"""
_SENSORS = """query($r: RepositorySelector!) { sensorsOrError(repositorySelector: $r) {
  ... on Sensors { results { id } } } }"""
_STOP = "mutation($id: String!) { stopSensor(id: $id) { __typename } }"
_PARTITIONS = """query($k: AssetKeyInput!) { assetNodeOrError(assetKey: $k) { ... on AssetNode {
  partitionStats { numMaterialized numPartitions numFailed } } } }"""


class Pages:
    """A running webserver and daemon."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.instance = folder / "dagster"
        self.log = folder / "dev.log"
        for made in (self.home / "simulations", self.instance):
            made.mkdir(parents=True)
        (self.instance / "dagster.yaml").write_text(
            "telemetry: {enabled: false}\nnux: {enabled: false}\n", "utf-8"
        )
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Pages:
        names = {"DAGSTER_HOME": self.instance, "WHILEAI_EXPORT_HOME": self.home}
        words = ["-m", "dagster", "dev", "-h", "127.0.0.1", "-p", str(self.port)]
        with self.log.open("wb") as log:
            self.running = subprocess.Popen(
                [sys.executable, *words],
                cwd=ROOT,
                env={**os.environ, **{name: str(path) for name, path in names.items()}},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self.until(self._loaded, 120)
        return self

    def __exit__(self, *_: object) -> None:
        os.killpg(self.running.pid, signal.SIGTERM)
        try:
            self.running.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(self.running.pid, signal.SIGKILL)
            self.running.wait(30)

    def ask(self, query: str, **variables: Any) -> Any:
        """The answer to one GraphQL query."""
        request = urllib.request.Request(
            f"{self.url}/graphql",
            data=json.dumps({"query": query, "variables": variables}).encode(),
            headers={"content-type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            found = json.load(answer)
        assert not found.get("errors"), found["errors"]
        return found["data"]

    def until(self, true: Callable[[], Any], seconds: float) -> Any:
        """What ``true`` returns once that is something; fails when it takes too long."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = true()
            if found:
                return found
            time.sleep(0.5)
        raise TimeoutError(f"{true}: {self.log.read_text('utf-8', 'replace')[-4000:]}")

    def stop_sensors(self) -> None:
        """Switch every sensor off."""
        for sensor in self.ask(_SENSORS, r=REPOSITORY)["sensorsOrError"]["results"]:
            self.ask(_STOP, id=sensor["id"])

    def runs(self, **tags: str) -> dict[str, str]:
        """The status of the latest run of every partition among the runs with these tags."""
        found: dict[str, str] = {}
        for run in self.ask(_RUNS)["runsOrError"]["results"]:
            said = {tag["key"]: tag["value"] for tag in run["tags"]}
            if all(said.get(key.replace("_", "/", 1)) == value for key, value in tags.items()):
                found.setdefault(said.get("dagster/partition", ""), run["status"])
        return found

    def backfill(self, names: list[str], config: dict[str, Any]) -> str:
        """Launch one over all assets; its id."""
        told = self.ask(
            _LAUNCH,
            p={
                "partitionNames": names,
                "assetSelection": [{"path": [asset]} for asset in ASSETS],
                "runConfigData": config,
                "title": "with other options",
            },
        )["launchPartitionBackfill"]
        assert told["__typename"] == "LaunchBackfillSuccess", told
        return str(told["backfillId"])

    def check(self, asset: str, check: str, partition: str) -> dict[str, Any]:
        """The latest execution of a check for a partition."""
        found = self.ask(_CHECKS, k={"path": [asset]}, check=check, part=partition)
        return found["assetCheckExecutions"][0]  # type: ignore[no-any-return]

    def partitions(self, asset: str) -> dict[str, int]:
        """How many partitions of an asset are materialized and failed."""
        found = self.ask(_PARTITIONS, k={"path": [asset]})
        return found["assetNodeOrError"]["partitionStats"]  # type: ignore[no-any-return]

    def _loaded(self) -> bool:
        assert self.running.poll() is None, self.log.read_text("utf-8", "replace")[-4000:]
        try:
            entries = self.ask(_LOADED)["workspaceOrError"]["locationEntries"]
        except OSError:
            return False
        return all(entry["loadStatus"] == "LOADED" for entry in entries)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
