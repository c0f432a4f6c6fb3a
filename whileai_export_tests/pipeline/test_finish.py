from __future__ import annotations

import json
from dataclasses import replace

import pytest

from whileai_export.io.lines import BLOCK_BYTES
from whileai_export.pipeline.chunk import run_chunk
from whileai_export.pipeline.finish import Constants, complete, layout
from whileai_export.pipeline.join import Join
from whileai_export.shared.schema import GROUP_FIELDS, Surroundings
from whileai_export.shared.tally import NO_MARKS
from whileai_export_tests.builders import chat_row, job


def finished(*rows: dict, late: tuple[str, ...] = (), groups: bool = False, **options: object):
    made = replace(job(**options), numbered="row_id" in late)
    with Join(made, lambda unfit: None, NO_MARKS) as join:
        join.take(run_chunk(made, ((None, row) for row in rows)))
        track = join.tracks[made.options.formats[0]]
        form = layout(track, late)
        fields = join.index.groups() if groups else None
        data = b"".join(complete(track, form, fields, Constants(made.around)))
    return [json.loads(line) for line in data.splitlines()], form, data


def test_lines_are_completed_and_ended():
    _, _, data = finished(chat_row(reward=None))
    assert data == (
        b'{"messages":[{"role":"user","content":"Where is parcel 7?"},'
        b'{"role":"assistant","content":"At the depot."}],"loss_mask":[0,1],'
        b'"prompt":"Where is parcel 7?","schema_version":"1"}\n'
    )


def test_a_column_that_only_some_rows_have_is_null_in_the_others():
    rows, form, _ = finished(chat_row(tier="t"), chat_row(reason="r"))
    assert [list(row) for row in rows] == [list(form.columns)] * 2
    assert [(row["tier"], row["reason"]) for row in rows] == [("t", None), (None, "r")]


def test_every_kind_that_a_column_holds_is_told():
    _, form, _ = finished(chat_row(n_tokens=3), chat_row(n_tokens=3.5), chat_row())
    assert form.columns["n_tokens"] == ["float64", "int64"]
    assert form.columns["reward"] == ["float64"]


def test_group_fields_come_at_the_end():
    rows, form, _ = finished(chat_row(), chat_row(reward=0), late=GROUP_FIELDS, groups=True)
    assert list(rows[0])[-6:] == list(GROUP_FIELDS)
    assert [row["k"] for row in rows] == [2, 2]
    kinds = [kind for name in GROUP_FIELDS for kind in form.columns[name]]
    assert kinds == ["string", "int64", "int64", "int64", "float64", "float64"]


def test_a_row_that_brings_its_group_keeps_it_whole():
    row = chat_row(loss_mask=[0, 1], group_id="g", k=9, n0=0, n1=0, reward_mean=None)
    rows, _, _ = finished(row, chat_row(), late=GROUP_FIELDS, groups=True)
    assert [rows[0][name] for name in GROUP_FIELDS] == ["g", 9, 0, 0, None, None]
    assert rows[1]["k"] == 2


@pytest.mark.parametrize("format", ["trl-completion", "kto"])
def test_a_prompt_of_messages_comes_first(format):
    rows, form, _ = finished(chat_row(tier="t"), formats=(format,))
    assert list(rows[0])[:2] == ["prompt", "completion"]
    assert form.columns["prompt"] == ["json"]


def test_what_a_source_gives_to_all_rows_is_put_in():
    constants = Constants(Surroundings(source_prompt="a\u2028", source_tools=[{"n": 1}]))
    assert constants.into(b"[\2,\1]") == b'[{"role":"system","content":"a\\u2028"},[{"n":1}]]'


def test_a_group_is_whole_where_no_other_row_has_one():
    row = chat_row(loss_mask=[0, 1], group_id="g", k=2, n0=0, n1=0, reward_mean=None)
    rows, _, _ = finished(row)
    assert [rows[0][name] for name in GROUP_FIELDS] == ["g", 2, 0, 0, None, None]


def test_an_id_that_is_added_stands_before_a_group_that_the_row_brings():
    own = dict(zip(GROUP_FIELDS, ("g", 2, 1, 1, 0.5, 0.5), strict=True))
    brings, brings_not = chat_row(loss_mask=[0, 1], **own), chat_row()
    made = {"late": ("row_id", *GROUP_FIELDS), "groups": True, "columns": ("row_id",)}
    rows, _, _ = finished(brings, brings_not, **made)
    assert list(rows[0]) == list(rows[1])
    assert list(rows[0])[-7:] == ["row_id", *GROUP_FIELDS]
    assert [len(row["row_id"]) for row in rows] == [16, 16]
    assert [row["group_id"] == "g" for row in rows] == [True, False]


def test_rows_past_the_first_block_are_completed_like_those_in_it():
    own = dict(zip(GROUP_FIELDS, ("g", 2, 1, 1, 0.5, 0.5), strict=True))
    given = [
        chat_row(
            reply=f"{n}" * (BLOCK_BYTES // 4),
            scenario_id=f"s{n % 4}",
            **(own if n % 3 == 1 else {}),
            **({"tier": "t"} if n > 5 else {}),
            loss_mask=[0, 1],
        )
        for n in range(9)
    ]
    made = {"late": ("row_id", *GROUP_FIELDS), "groups": True}
    made |= {"columns": ("row_id", "tier", "scenario_id")}
    rows, form, data = finished(*given, **made)
    assert len(data) > 2 * BLOCK_BYTES
    assert [list(row) for row in rows] == [list(form.columns)] * 9
    assert [row["messages"][1]["content"][:1] for row in rows] == [f"{n}" for n in range(9)]
    assert [row["tier"] for row in rows] == [None] * 6 + ["t"] * 3
    assert [row["group_id"] == "g" for row in rows] == [n % 3 == 1 for n in range(9)]
    assert [row["k"] for row in rows] == [3, 2, 2, 2, 2, 2, 2, 2, 3]
    assert len({row["row_id"] for row in rows}) == 9
    assert rows[0]["group_id"] == rows[8]["group_id"] != rows[3]["group_id"]


def test_groups_past_the_first_block_are_those_of_their_rows():
    given = [
        chat_row(f"Where is parcel {n % 3}?", "x" * (BLOCK_BYTES // 2), reward=n % 3 / 2)
        for n in range(7)
    ]
    rows, _, data = finished(*given, late=GROUP_FIELDS, groups=True)
    assert len(data) > 3 * BLOCK_BYTES
    assert [(row["k"], row["reward_mean"]) for row in rows] == [
        *((3, 0.0), (2, 0.5), (2, 1.0)),
        *((3, 0.0), (2, 0.5), (2, 1.0)),
        (3, 0.0),
    ]


def test_an_id_that_a_row_brings_is_written_once():
    brings = chat_row(loss_mask=[0, 1], row_id="0123456789abcdef")
    rows, _, data = finished(brings, chat_row(), late=("row_id",), columns=("row_id",))
    assert [line.count(b'"row_id"') for line in data.splitlines()] == [1, 1]
    assert rows[0]["row_id"] == "0123456789abcdef" != rows[1]["row_id"]
