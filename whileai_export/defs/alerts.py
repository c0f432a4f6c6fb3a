"""A run that failed is told to a webhook: gate, counts, partition; never a private word."""

import json
import os
import urllib.request
from collections.abc import Mapping
from typing import Any

import dagster as dg

from whileai_export.defs.way_on import problem_of

WEBHOOK_VARIABLE = "WHILEAI_EXPORT_WEBHOOK"
SECONDS = 5


def alerts(webhook: str | None) -> dg.SensorDefinition:
    """The sensor that posts failures to ``webhook``, or to the one the environment names."""

    @dg.run_failure_sensor(name="alerts", default_status=dg.DefaultSensorStatus.RUNNING)
    def sensor(context: dg.RunFailureSensorContext) -> Any:
        """Posts every failed run to a webhook, where one is set. Never fails itself."""
        target = os.environ.get(WEBHOOK_VARIABLE) or webhook
        if not target:
            return dg.SkipReason("no webhook is set")
        problem = post(target, message(context))
        if problem:
            context.log.warning(f"the webhook was not reached: {problem}")
        return None

    return sensor


def message(context: dg.RunFailureSensorContext) -> dict[str, Any]:
    """What failed and why. Of a crash only the error's class: its words may quote a row."""
    run = context.dagster_run
    partition = run.tags.get("dagster/partition")
    steps = [_step(event) for event in context.get_step_failure_events()]
    why = ", ".join(f"{step['step']}: {step['problem']}" for step in steps)
    return {
        "text": f"{partition or run.job_name} failed: {why or 'the run'}",
        "run_id": run.run_id,
        "job": run.job_name,
        "partition": partition,
        "steps": steps,
    }


def _step(event: dg.DagsterEvent) -> dict[str, Any]:
    failure = event.step_failure_data
    said = failure.user_failure_data
    if said is None:
        error = failure.error.cause or failure.error if failure.error else None
        return {"step": event.step_key, "problem": f"crashed: {error.cls_name if error else '?'}"}
    report = said.metadata.get("report") if said.metadata else None
    value: Any = report.value if isinstance(report, dg.JsonMetadataValue) else {}
    return {
        "step": event.step_key,
        "problem": problem_of(said.description),
        "gates": {
            gate: found["count"]
            for gate, found in value.get("findings", {}).items()
            if found["count"]
        },
        "counts": value.get("counts", {}),
    }


def post(target: str, content: Mapping[str, Any]) -> str:
    """Send JSON to an address; what went wrong, or nothing."""
    try:
        request = urllib.request.Request(
            target,
            data=json.dumps(content).encode(),
            headers={"content-type": "application/json"},
        )
        if request.type not in ("http", "https"):
            return f"expected an http address, got {request.type}"
        with urllib.request.urlopen(request, timeout=SECONDS):
            return ""
    except (OSError, ValueError) as error:
        return type(error).__name__
