from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from whileai_export.defs.choices import choose
from whileai_export.defs.config import SftConfig
from whileai_export.defs.dataset import DatasetOptions, Nightly
from whileai_export.defs.defaults import SFT
from whileai_export.defs.export_toml import Decisions, read_decisions
from whileai_export.shared.errors import OptionError

WHOLE = """\
[defaults]
sft = ["openai", "trl"]
min_reward = 0.6

[dataset.support]
simulations = "support-*"
system_prompt = "prompts/support.md"
sft = ["openai", "fireworks"]
on_leak = "quarantine"

[dataset.billing]

[nightly]
cron = "30 3 * * *"
timezone = "Europe/Berlin"

[alerts]
webhook = "http://127.0.0.1:9/hook"
"""


def read(home: Path, text: str) -> Decisions:
    (home / "export.toml").write_text(text, "utf-8")
    return read_decisions(home)


def test_no_file_is_one_unnamed_dataset_with_the_defaults(tmp_path: Path):
    assert read_decisions(tmp_path) == Decisions({None: DatasetOptions()}, None)


def test_datasets_take_the_defaults_and_say_their_own(tmp_path: Path):
    found = read(tmp_path, WHOLE)
    assert list(found.datasets) == ["support", "billing"]
    support = found.datasets["support"]
    assert [(layer.source, dict(layer.values)) for layer in support.layers] == [
        ("[defaults]", {"sft": ["openai", "trl"], "min_reward": 0.6}),
        ("[dataset.support]", {"sft": ["openai", "fireworks"], "on_leak": "quarantine"}),
    ]
    assert (support.simulations, support.system_prompt) == ("support-*", "prompts/support.md")
    assert found.datasets["billing"].nightly == Nightly("30 3 * * *", "Europe/Berlin")
    assert found.webhook == "http://127.0.0.1:9/hook"


def test_defaults_alone_are_those_of_the_unnamed_dataset(tmp_path: Path):
    found = read(tmp_path, "[defaults]\nmin_margin = 0.5\n")
    assert list(found.datasets) == [None]
    assert found.datasets[None].layers[0].values == {"min_margin": 0.5}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[defaults]\n\nmin_rewrd = 1\n", "line 3: min_rewrd: no such key; did you mean"),
        ("[default]\n", "line 1: default: no such key; did you mean 'defaults'"),
        ("[dataset.a]\nlr = 1\n", "line 2: lr: no such key"),
        (
            "holdout = ['a.jsonl']\n[defaults]\n",
            r"line 1: holdout: no such key here; it stands under \[defaults\] or \[dataset\.NAME\]",
        ),
        ("[nightly]\nmin_reward = 1\n", "line 2: min_reward: no such key here; it stands under"),
        ("[defaults]\nmin_reward = 5\n", "line 2: min_reward: expected a number from 0 to 1"),
        ("[defaults]\nmin_reward = '1'\n", "line 2: min_reward: input should be a valid number"),
        ("[defaults]\ndedupe = 1\n", "line 2: dedupe: input should be a valid boolean"),
        ("[dataset.a]\nsft = ['opnai']\n", "line 2: format: expected one of .* 'openai'"),
        ("[dataset.a]\npreference = ['kto']\n", "line 2: format: expected one of openai"),
        ("[defaults]\nholdout = 'a.jsonl'\n", "line 2: holdout: expected a list of paths"),
        ("[dataset.a]\nholdout = [3]\n", "line 2: holdout: expected a list of paths"),
        ("[dataset.a]\nsimulations = 3\n", "line 2: simulations: expected text, got 3"),
        ("[defaults]\nmin_reward = 'nome'\n", "line 2: min_reward: input should be .* 'nome'"),
        ("[defaults]\nmin_margin = 'none'\n", "line 2: min_margin: input should be .* 'none'"),
        ("[defaults]\ncolumns = ['privileged']\n", "line 2: columns: privileged are private"),
        ("[defaults]\n[dataset.v0001]\n", "line 2: dataset name: expected a name that no ver"),
        ("\n[dataset.LATEST]\n", "line 2: dataset name: expected a name that no version has"),
        ("[defaults]\nmax_tokens = 9\n", "line 2: max_tokens: expected tokenizer="),
        (
            "[defaults]\nunroll = true\n[dataset.a]\nsft = ['kto']\n",
            "line 2: unroll: kto labels a whole rollout",
        ),
        ("[dataset.'a b']\n", "dataset name: expected a letter"),
        ("[nightly]\ncron = 'nights'\n", "line 2: cron: expected a cron line and a time zone"),
        ("[nightly]\ntimezone = 'Mars'\n", "line 2: cron: expected a cron line and a time zone"),
        ("defaults = 3\n", "line 1: defaults: expected a table, got int"),
        ("[defaults\n", r"expected TOML: .*line 1"),
    ],
)
def test_a_wrong_key_or_value_is_refused_with_its_line(tmp_path: Path, text: str, said: str):
    with pytest.raises(OptionError, match=said) as error:
        read(tmp_path, text)
    assert str(error.value).startswith(str(tmp_path / "export.toml"))


@pytest.mark.slow
def test_the_project_does_not_load_and_says_why(tmp_path: Path):
    (tmp_path / "export.toml").write_text("[defaults]\nmin_rewrd = 1\n", "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "dagster", "definitions", "validate", "-m",
         "whileai_export.definitions"],
        env={**os.environ, "DAGSTER_HOME": str(tmp_path), "WHILEAI_EXPORT_HOME": str(tmp_path)},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )  # fmt: skip
    assert done.returncode != 0
    assert "line 2: min_rewrd: no such key; did you mean 'min_reward'?" in done.stderr + done.stdout


def test_a_dataset_names_the_files_that_its_rows_must_not_repeat(tmp_path: Path):
    datasets = "[dataset.a]\n[dataset.b]\nholdout = ['b.jsonl', 'c.jsonl']"
    found = read(tmp_path, f"[defaults]\nholdout = ['a.jsonl']\n{datasets}")
    assert [o.holdout for o in found.datasets.values()] == [("a.jsonl",), ("b.jsonl", "c.jsonl")]
    assert [o.holdout_from for o in found.datasets.values()] == ["[defaults]", "[dataset.b]"]
    assert [layer.values for layer in found.datasets["b"].layers] == [{}, {}]


def test_a_dataset_says_which_share_of_tasks_it_holds_back(tmp_path: Path):
    datasets = "[dataset.a]\n[dataset.b]\ntest_share = 0.2"
    found = read(tmp_path, f"[defaults]\ntest_share = 0.1\n{datasets}")
    assert [options.test_share for options in found.datasets.values()] == [0.1, 0.2]
    with pytest.raises(OptionError, match=r"line 2: test_share: expected a share from 0"):
        read(tmp_path, "[defaults]\ntest_share = 1.5")


def test_a_home_that_may_not_be_read_is_named_and_not_a_file_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def closed(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_text", closed)
    assert os.access(tmp_path, os.X_OK)
    with pytest.raises(OptionError, match=rf"^{tmp_path}/export.toml: cannot be read: Perm"):
        read_decisions(tmp_path)
    monkeypatch.setattr("os.access", lambda *_: False)
    with pytest.raises(OptionError, match=rf"^{tmp_path}: cannot be read: Permission denied$"):
        read_decisions(tmp_path)


def test_a_home_that_is_a_file_decides_nothing(tmp_path: Path):
    (tmp_path / "home").touch()
    assert read_decisions(tmp_path / "home") == Decisions()


def test_the_text_none_takes_an_option_back(tmp_path: Path):
    datasets = "[dataset.a]\nmin_reward = 'none'\nmax_per_task = 'none'\n[dataset.b]\n"
    found = read(tmp_path, f"[defaults]\nmin_reward = 0.6\nmax_per_task = 3\n{datasets}").datasets
    held = [
        choose(SFT, SftConfig.model_fields, found[name].for_kind("sft"), {}).options.selection
        for name in ("a", "b")
    ]
    assert [(it.min_reward, it.max_per_task) for it in held] == [(None, None), (0.6, 3)]


def test_an_option_that_needs_another_is_taken_with_it(tmp_path: Path):
    text = "[defaults]\ntokenizer = 't.json'\nmax_tokens = 9\ndrop_long = true\n"
    (layer,) = read(tmp_path, text).datasets[None].layers
    assert layer.values == {"tokenizer": "t.json", "max_tokens": 9, "drop_long": True}


def test_the_first_dataset_knows_which_names_all_of_them_take(tmp_path: Path):
    text = (
        '[dataset.far]\nsimulations = "s3://bucket/f-*"\n'
        '[dataset.a]\nsimulations = "a-*"\n[dataset.b]\nsimulations = "b-*"\n'
    )
    (tmp_path / "export.toml").write_text(text, "utf-8")
    found = read_decisions(tmp_path).datasets
    assert [o.patterns for o in found.values()] == [(), ("f-*", "a-*", "b-*"), ()]
