"""A job executed in this process, on record as if the pages had launched it."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Mapping
from typing import Any

import dagster as dg
from dagster._core.definitions.repository_definition.valid_definitions import (
    SINGLETON_REPOSITORY_NAME,
)
from dagster._core.events import RunFailureReason
from dagster._core.remote_origin import (
    ManagedGrpcPythonEnvCodeLocationOrigin,
    RemoteJobOrigin,
    RemoteRepositoryOrigin,
)
from dagster._core.storage.tags import CODE_LOCATION_TAG, REPOSITORY_LABEL_TAG
from dagster._core.types.loadable_target_origin import LoadableTargetOrigin

from whileai_export.defs.history import recorded
from whileai_export.defs.under_way import this_process

#: What the pages load, and what they call it; the workspace says the same.
MODULE = "whileai_export.definitions"
LOCATION = "whileai_export"
#: The steps say what happened; the whole log is on the instance.
QUIET = {"console": {"config": {"log_level": "CRITICAL"}}}

_TAGS = {
    REPOSITORY_LABEL_TAG: f"{SINGLETON_REPOSITORY_NAME}@{LOCATION}",
    CODE_LOCATION_TAG: LOCATION,
}


def executed(
    job: dg.JobDefinition,
    instance: dg.DagsterInstance,
    *,
    partition: str | None = None,
    config: Mapping[str, Any] | None = None,
) -> dg.ExecuteInProcessResult:
    """What a run of the job came to; the pages show it under its job and on the timeline.

    Dagster takes an interrupt for one more failure; here it stops whoever would run the next.
    """
    run_id = str(uuid.uuid4())
    with recorded(instance):
        result = job.execute_in_process(
            partition_key=partition,
            instance=instance,
            run_config={**(config or {}), "loggers": QUIET},
            run_id=run_id,
            tags={**_TAGS, **this_process(run_id)},
            raise_on_error=False,
        )
        # The tags list a run under its job. The timeline, and whoever executes it again, ask for
        # its origin, which only a run that the pages launch is given.
        run = instance.get_run_by_id(result.run_id)
        if run is not None:
            instance.run_storage.replace_job_origin(run, _origin(job.name))
    if any(map(_interrupted, result.all_events)):
        raise KeyboardInterrupt
    return result


def _interrupted(event: dg.DagsterEvent) -> bool:
    if event.event_type != dg.DagsterEventType.RUN_FAILURE:
        return False
    return event.job_failure_data.failure_reason == RunFailureReason.UNEXPECTED_TERMINATION


def _origin(job: str) -> RemoteJobOrigin:
    target = LoadableTargetOrigin(executable_path=sys.executable, module_name=MODULE)
    location = ManagedGrpcPythonEnvCodeLocationOrigin(target, LOCATION)
    return RemoteJobOrigin(RemoteRepositoryOrigin(location, SINGLETON_REPOSITORY_NAME), job)
