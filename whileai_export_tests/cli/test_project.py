from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from whileai_export.cli.project import assignment
from whileai_export.shared.errors import OptionError
from whileai_export.shared.project import Step
from whileai_export.shared.watching import watcher_of
from whileai_export_tests.cli.calling import REFUSED, WRITTEN, PretendProject, call


def test_the_demo_makes_two_simulations_and_runs_them(tmp_path: Path):
    project = PretendProject(tmp_path)
    done = call("demo", project=project)
    assert done.exit_code == 0, done.output
    assert project.names == ["workshop_desk", "parcel_desk"]
    assert list(project.ran_with) == project.names
    rows = (tmp_path / "simulations/parcel_desk/trajectories.jsonl").read_text("utf-8")
    assert rows.count("\n") == 32


def test_the_demo_can_be_run_again(tmp_path: Path):
    project = PretendProject(tmp_path)
    call("demo", project=project)
    assert call("demo", project=project).exit_code == 0


def test_the_demo_leaves_a_run_with_options_of_its_own_as_it_is_and_says_so(tmp_path: Path):
    project = PretendProject(tmp_path, own={"workshop_desk": {"min_reward": 1.0}})
    done = call("demo", project=project)
    assert list(project.ran_with) == ["parcel_desk"]
    assert "workshop_desk: left as it is; its last run was given min_reward=1.0\n" in done.output
    told = json.loads(call("demo", "--json", project=project).output)
    assert told["left_alone"] == {"workshop_desk": {"min_reward": 1.0}}
    assert list(told["simulations"]) == ["parcel_desk"]


def test_the_demo_ends_with_the_command_that_opens_the_pages(tmp_path: Path):
    done = call("demo", project=PretendProject(tmp_path))
    assert done.output.rstrip().endswith(" ui")


def test_a_refusal_is_what_the_demo_is_there_to_show(tmp_path: Path):
    assert call("demo", project=PretendProject(tmp_path, [REFUSED])).exit_code == 0


def test_run_hands_the_settings_to_the_graph(tmp_path: Path):
    project = PretendProject(tmp_path, names=["a", "b"])
    done = call("run", "a", "b", "--set", "min-reward=1.0", project=project)
    assert done.exit_code == 0, done.output
    assert project.ran_with == {"a": {"min_reward": "1.0"}, "b": {"min_reward": "1.0"}}


def test_run_hands_the_workers_to_the_graph(tmp_path: Path):
    project = PretendProject(tmp_path, names=["a"])
    assert call("run", "a", project=project).exit_code == 0
    assert project.workers is None
    assert call("run", "a", "--workers", "4", project=project).exit_code == 0
    assert project.workers == 4
    assert call("run", "a", "--workers", "0", project=project).exit_code == 2


def test_run_measures_nothing_where_no_terminal_is(tmp_path: Path):
    class Watched(PretendProject):
        def run(self, *given: Any) -> Iterator[Step]:
            assert watcher_of("sft_jsonl") is None
            return super().run(*given)

    assert call("run", "a", project=Watched(tmp_path, names=["a"])).exit_code == 0


def test_settings_that_mean_nothing_are_refused_before_anything_runs(tmp_path: Path):
    project = PretendProject(tmp_path, refuses_settings=True)
    project.folder("mine").mkdir(parents=True)
    done = call("run", "mine", "--set", "on_leak=bogus", project=project)
    assert done.exit_code == 2
    assert done.output == "error: --set on_leak: expected one of refuse, quarantine, got 'bogus'\n"
    assert (project.names, project.ran_with) == ([], {})


def test_the_help_of_run_lists_the_keys():
    told = call("run", "--help").output
    assert "    on_leak                refuse or quarantine\n" in told
    assert "    min_margin             a number from 0 to 1\n" in told


def test_run_where_there_is_no_home_makes_none(tmp_path: Path):
    done = call("run", "mine", project=PretendProject(tmp_path / "home"))
    assert done.exit_code == 2
    assert done.output.startswith("error: there is no home here: ")
    assert not (tmp_path / "home").exists()


def test_run_ends_with_1_when_a_gate_refused(tmp_path: Path):
    project = PretendProject(tmp_path, [WRITTEN, REFUSED], names=["a"])
    assert call("run", "a", project=project).exit_code == 1


def test_run_names_the_simulations_there_are(tmp_path: Path):
    done = call("run", "c", project=PretendProject(tmp_path, names=["b", "a"]))
    assert done.exit_code == 2
    assert done.output.startswith(
        f"error: there is no simulation 'c' under {tmp_path}; there are a, b; this makes"
    )
    assert done.output.endswith(" add FILE --name c\n")


def test_run_names_the_simulation_that_was_meant(tmp_path: Path):
    done = call("run", "shop_rk", project=PretendProject(tmp_path, names=["desk", "shop_rl"]))
    assert done.exit_code == 2
    assert done.output == (
        f"error: there is no simulation 'shop_rk' under {tmp_path}; did you mean 'shop_rl'?\n"
    )


def test_of_many_simulations_run_names_some(tmp_path: Path):
    many = [f"night-{n:02}" for n in range(12)]
    done = call("run", "x", project=PretendProject(tmp_path, names=many))
    assert "; there are night-00, " in done.output
    assert ", night-09, ...; this makes it: " in done.output


def test_run_takes_a_simulation_that_was_put_under_the_home_by_hand(tmp_path: Path):
    project = PretendProject(tmp_path)
    project.folder("mine").mkdir(parents=True)
    assert call("run", "mine", project=project).exit_code == 0
    assert project.names == ["mine"]


def test_run_tells_machines_everything_as_one_document(tmp_path: Path):
    done = call("run", "a", "--json", project=PretendProject(tmp_path, names=["a"]))
    assert json.loads(done.output)["simulations"]["a"][0]["state"] == "written"


def test_ui_serves_the_port_it_is_told(tmp_path: Path):
    project = PretendProject(tmp_path)
    done = call("ui", "--port", 3999, project=project)
    assert (project.port, project.tells_everything) == (3999, False)
    assert done.output.startswith("http://127.0.0.1:3999")
    assert done.output.endswith("\nstarting, about 20 seconds\n")


def test_ui_tells_everything_where_that_is_asked(tmp_path: Path):
    project = PretendProject(tmp_path)
    call("ui", "--port", 3998, "-v", project=project)
    assert project.tells_everything


def test_ui_names_another_port_where_one_is_in_use(tmp_path: Path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = call("ui", "--port", port, project=PretendProject(tmp_path))
    assert done.exit_code == 2
    assert done.output.startswith(f"error: port {port} is in use; take another: ")
    assert done.output.endswith(f" ui --port {port + 1}\n")


def test_an_assignment_has_a_name_and_a_value():
    assert assignment("on-leak = quarantine") == ("on_leak", "quarantine")


def test_an_assignment_without_a_value_is_refused():
    with pytest.raises(OptionError, match="--set: expected KEY=VALUE, got 'strict'"):
        assignment("strict")


def test_run_takes_a_simulation_that_lies_in_a_store(tmp_path: Path):
    project = PretendProject(tmp_path, stored={"s3://a": False, "s3://b": True})
    assert call("run", "mine", project=project).exit_code == 0
    assert project.names == ["mine"]


def test_run_says_which_stores_hold_no_such_simulation(tmp_path: Path):
    done = call("run", "c", project=PretendProject(tmp_path, stored={"s3://a": False}))
    assert done.exit_code == 2
    assert f"there is no simulation 'c' under {tmp_path} or in s3://a; this makes" in done.output


def test_run_without_a_name_says_which_there_are(tmp_path: Path):
    done = call("run", project=PretendProject(tmp_path, names=["b", "a"]))
    assert done.exit_code == 2
    assert done.output.startswith(
        "error: expected the name of a simulation, got none; there are a, b; this makes one: "
    )
    assert done.output.endswith(" run --stale\n")
