from __future__ import annotations

from pathlib import Path

import dagster as dg
import pytest

from whileai_export.defs.executed import executed
from whileai_export.defs.history import recorded
from whileai_export.shared.errors import ExportError
from whileai_export_tests.defs.homes import Project, rows


def test_a_history_that_cannot_be_written_is_told_with_the_home(lasting: Project):
    lasting.add("night", rows())
    job = lasting.definitions.resolve_job_def("export_simulation")
    database = Path(lasting.instance.root_directory) / "history" / "runs.db"
    database.write_bytes(b"no database" * 200)
    with pytest.raises(ExportError) as refused:
        executed(job, lasting.instance, partition="night")
    home = Path(lasting.instance.root_directory).parent
    assert str(refused.value) == (
        f"{home}: its history (.dagster) cannot be written: file is not a database"
    )


def test_what_is_no_fault_of_the_database_stays_what_it_is():
    with (
        dg.DagsterInstance.ephemeral() as instance,
        pytest.raises(ValueError, match="something else"),
        recorded(instance),
    ):
        raise ValueError("something else")
