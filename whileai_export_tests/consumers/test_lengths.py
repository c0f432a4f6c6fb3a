"""The room that a card names is enough for every row, by the tokenizer that will train it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from whileai_export.demo import parcel_desk, workshop_desk
from whileai_export.shared.careful import CAREFUL_SFT
from whileai_export.shared.options import Policy
from whileai_export_tests.consumers.published import rows_of, sft
from whileai_export_tests.consumers.trainers import TEMPLATES, needs_trainers, offline, tokenizer

pytestmark = needs_trainers
KEEP = Policy(validate=False)


@pytest.fixture
def trained_file(tmp_path: Path) -> Path:
    """A tokenizer that knows what our rows look like in training, as large ones do."""
    offline(tmp_path / "cache")
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    sft(workshop_desk(), tmp_path / "texts", ["trl"])
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=700,
        special_tokens=["<|im_start|>", "<|im_end|>"],
        initial_alphabet=alphabet,
        show_progress=False,
    )
    made.train_from_iterator(rendered(tmp_path / "texts", TEMPLATES[0]), trainer)
    made.save(str(tmp_path / "tokenizer.json"))
    return tmp_path / "tokenizer.json"


def rendered(folder: Path, template: str) -> list[str]:
    known = tokenizer(template)
    return [
        known.apply_chat_template(row["messages"], tools=row["tools"], tokenize=False)
        for row in rows_of(folder / "sft.trl.jsonl")
    ]


def room(folder: Path) -> int:
    card = (folder / "README.md").read_text("utf-8")
    return int(re.findall(r"assistant_only_loss=True, max_length=(\d+)", card)[0])


@pytest.mark.parametrize("template", TEMPLATES)
@pytest.mark.parametrize("counted", [True, False])
@pytest.mark.parametrize("simulation", [workshop_desk, parcel_desk])
def test_no_row_is_cut(tmp_path: Path, trained_file, template, counted, simulation):  # type: ignore[no-untyped-def]
    from tokenizers import Tokenizer

    known = str(trained_file) if counted else None
    selection = replace(CAREFUL_SFT.selection, tokenizer=known)
    sft(simulation(), tmp_path / "rows", ["trl"], selection=selection, policy=KEEP)
    measure = Tokenizer.from_file(str(trained_file))
    lengths = [len(measure.encode(text).ids) for text in rendered(tmp_path / "rows", template)]
    assert max(lengths) <= room(tmp_path / "rows") <= 2 * max(lengths) + 512


def test_rows_that_are_too_long_are_left_out(tmp_path: Path, trained_file: Path):
    counted = replace(CAREFUL_SFT.selection, tokenizer=str(trained_file))
    told = sft(workshop_desk(), tmp_path / "counted", ["trl"], selection=counted)
    middle = told["lengths"]["tokens"]["p50"]
    limited = replace(counted, max_tokens=middle)
    told = sft(workshop_desk(), tmp_path / "all", ["trl"], selection=limited)
    past = told["lengths"]["past_max_tokens"]
    assert 0 < past < told["n"]
    shorter = replace(limited, drop_long=True)
    told = sft(workshop_desk(), tmp_path / "some", ["trl"], selection=shorter)
    assert told["counts"]["filtered"]["max_tokens"] >= past
    assert told["lengths"]["tokens"]["max"] == middle
