"""The real trainers on a tiny random model: what they were going to train, turn by turn."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pytest

TEMPLATES = ("qwen2_5", "qwen3", "qwen3_instruct_2507")
_SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
_TURN = re.compile(r"<\|im_start\|>assistant\n(.*?<\|im_end\|>)", re.DOTALL)
_QUIET = {
    "max_steps": 1,
    "per_device_train_batch_size": 2,
    "report_to": "none",
    "save_strategy": "no",
    "use_cpu": True,
    "bf16": False,
    "disable_tqdm": True,
    "max_length": None,
}


def missing(*packages: str) -> list[str]:
    found = []
    for package in packages:
        try:
            version(package)
        except PackageNotFoundError:
            found.append(package)
    return found


def needs(*packages: str) -> list[pytest.MarkDecorator]:
    """Slow, skipped where a package is missing, and patient with the warnings of others."""
    absent = missing(*packages)
    reason = f"pip install '.[consumers]' brings what is missing: {', '.join(absent)}"
    return [
        pytest.mark.slow,
        pytest.mark.skipif(bool(absent), reason=reason),
        pytest.mark.filterwarnings("ignore"),
    ]


needs_trainers = needs("torch", "trl", "transformers", "datasets", "tokenizers")
needs_loader = needs("datasets")


def offline(scratch: Path) -> None:
    os.environ.update(
        HF_HUB_OFFLINE="1",
        HF_DATASETS_OFFLINE="1",
        TRANSFORMERS_OFFLINE="1",
        TOKENIZERS_PARALLELISM="false",
        HF_DATASETS_DISABLE_PROGRESS_BARS="1",
        HF_DATASETS_CACHE=str(scratch),
        CUDA_VISIBLE_DEVICES="",
    )


def loaded(folder: Path, config: str) -> Any:
    """A published folder, loaded as its README says."""
    from datasets import load_dataset

    return load_dataset(str(folder), config, split="train", cache_dir=str(folder / ".cache"))


@cache
def tokenizer(template: str) -> Any:
    """A tokenizer of bytes with a chat template that TRL ships."""
    import trl
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    bytes_ = Tokenizer(models.BPE())
    bytes_.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bytes_.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    bytes_.train_from_iterator(
        ["the ticket", "is booked"],
        trainers.BpeTrainer(
            vocab_size=300,
            special_tokens=list(_SPECIAL),
            initial_alphabet=alphabet,
            show_progress=False,
        ),
    )
    made = PreTrainedTokenizerFast(
        tokenizer_object=bytes_, eos_token="<|im_end|>", pad_token="<|endoftext|>"
    )
    folder = Path(trl.__file__).parent / "chat_templates"
    made.chat_template = (folder / f"{template}.jinja").read_text("utf-8")
    return made


def model(template: str) -> Any:
    """Two layers of random weights."""
    from transformers import Qwen3Config, Qwen3ForCausalLM, set_seed

    set_seed(0)
    known = tokenizer(template)
    sizes = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 2, "head_dim": 8}
    heads = {"num_attention_heads": 2, "num_key_value_heads": 1}
    ends = {"pad_token_id": known.pad_token_id, "eos_token_id": known.eos_token_id}
    return Qwen3ForCausalLM(Qwen3Config(vocab_size=len(known), **sizes, **heads, **ends))


def stepped(name: str, rows: Any, template: str, scratch: Path, **settings: Any) -> Any:
    """The trainer of one method after one real step; ``train_dataset`` is what it prepared."""
    import trl

    config = getattr(trl, f"{name}Config")(output_dir=str(scratch), **_QUIET, **settings)
    known: dict[str, Any] = {"args": config, "train_dataset": rows}
    if name != "SFT":
        known["ref_model"] = model(template)
    trainer = getattr(trl, f"{name}Trainer")(
        model(template), processing_class=tokenizer(template), **known
    )
    assert math.isfinite(trainer.train().training_loss)
    return trainer


def decoded(template: str, ids: Iterable[int]) -> str:
    return str(tokenizer(template).decode(list(ids)))


def trained_turns(template: str, prepared: Mapping[str, Any]) -> Iterator[int]:
    """1 or 0 for each assistant turn, by its tokens' labels; nothing else may carry loss."""
    known = tokenizer(template)
    text, flags = "", []
    for token, label in zip(prepared["input_ids"], prepared["labels"], strict=True):
        piece = known.decode([token])
        text += piece
        flags += [label != -100] * len(piece)
    inside = 0
    for turn in _TURN.finditer(text):
        carried = flags[turn.start(1) : turn.end(1)]
        assert len({*carried}) == 1, f"half a turn is trained: {turn[1]!r}"
        inside += sum(carried)
        yield int(carried[0])
    # A template may end a turn with a line end, which goes with it.
    outside = [text[at] for at, flag in enumerate(flags) if flag][inside:]
    assert sum(flags) - inside <= text.count("<|im_end|>\n"), outside
