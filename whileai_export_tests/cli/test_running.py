from __future__ import annotations

from pathlib import Path

from whileai_export.shared.project import Step
from whileai_export_tests.cli.calling import PretendProject, call

BARE = "2 rows have no tool schemas (from the option tools, the row, profile.json or the sidecar)"


def test_what_a_simulation_lacks_is_given_beside_what_it_has(tmp_path: Path):
    step = Step("sft_jsonl", "written", {"counts": {"read": 2, "written": 2}, "warnings": [BARE]})
    project = PretendProject(tmp_path, [step], names=["a"])
    place = project.folder("a")
    place.mkdir(parents=True)
    told = call("run", "a", project=project).output
    assert told.endswith(f" add {place} --name a --tools FILE --replace)\n")
    (place / "fetched.json").touch()
    told = call("run", "a", project=project).output
    assert told.endswith("(put it into profile.json beside the rows in the store)\n")
