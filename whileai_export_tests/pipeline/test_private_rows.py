from __future__ import annotations

from pathlib import Path

import pytest

from whileai_export.pipeline.private_rows import NOTHING_PRIVATE, PrivateRows
from whileai_export.pipeline.sft import stage_training_rows
from whileai_export_tests.builders import chat_row
from whileai_export_tests.core.turns import user

ASK = [user("Where is parcel 7?")]


@pytest.fixture
def staged(tmp_path) -> Path:
    secrets = ("the amber door is open", "the lamp went out at nine")
    rows = [chat_row(privileged={"note": secret}, scenario_id="s") for secret in secrets]
    path = tmp_path / "rows.jsonl"
    with stage_training_rows([*rows, chat_row(ask="Another?")], path) as outcome:
        outcome.publish()
    return path


def texts(found) -> list[str]:
    return [needle.pieces[0].text for needle in found]


def test_a_row_is_compared_with_its_own_block(staged):
    ids = [line.split('"row_id":"')[1][:16] for line in staged.read_text("utf-8").splitlines()]
    private = PrivateRows(staged)
    assert texts(private.needles({"row_id": ids[0]}, ASK)) == ["the amber door is open"]
    assert texts(private.needles({"row_id": ids[1]}, ASK)) == ["the lamp went out at nine"]


def test_a_row_of_another_id_is_compared_with_all_that_has_its_ask(staged):
    found = PrivateRows(staged).needles({"row_id": "0" * 16}, ASK)
    assert texts(found) == ["the amber door is open", "the lamp went out at nine"]
    assert PrivateRows(staged).needles({}, [user("Another?")]) == ()


def test_a_line_that_is_no_row_compares_with_nothing(staged):
    lines = staged.read_bytes().splitlines()
    staged.chmod(0o600)
    staged.write_bytes(
        b"\n".join([b"[1]", b"{", b'{"messages": 1}', b'{"messages": [1]}', lines[0]])
    )
    assert texts(PrivateRows(staged).needles({}, ASK)) == ["the amber door is open"]


def test_without_a_file_nothing_is_compared():
    assert NOTHING_PRIVATE.needles({}, ASK) == ()
