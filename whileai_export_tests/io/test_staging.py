"""Staging: the old file or the new one, whole, whatever happens in between."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import fsspec
import pytest

from whileai_export.io.staging import Staging, Written
from whileai_export.shared.errors import ExportError, OptionError

OLD, NEW = b"old\n", b"new\n"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def publish(target: Path | str, data: bytes = NEW, **options) -> list[Written]:
    with Staging() as staging:
        staging.open(target, **options).write(data)
        return staging.publish()


def script(body: str, *arguments: object, **options) -> subprocess.Popen:
    code = "import sys\nfrom whileai_export.io.staging import Staging\n" + body
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        **options,
    )


# Publishing.


def test_nothing_is_visible_before_it_is_published(tmp_path):
    target = tmp_path / "rows.jsonl"
    with Staging() as staging:
        staging.open(target).write(NEW)
        assert not target.exists()
        staging.publish()
        assert target.read_bytes() == NEW
    assert names(tmp_path) == ["rows.jsonl"]


def test_what_was_written_is_told(tmp_path):
    target = tmp_path / "rows.jsonl"
    assert publish(target) == [Written(str(target), hashlib.sha256(NEW).hexdigest(), 4)]


def test_without_publish_the_old_file_stays_and_nothing_else(tmp_path):
    target = tmp_path / "rows.jsonl"
    target.write_bytes(OLD)
    with Staging() as staging:
        staging.open(target).write(NEW)
        staging.open(tmp_path / "deep" / "er" / "rows.jsonl").write(NEW)
    assert target.read_bytes() == OLD
    assert names(tmp_path) == ["rows.jsonl"]


def test_the_last_file_is_renamed_after_all_others(tmp_path, monkeypatch):
    renamed = []
    replace = os.replace
    monkeypatch.setattr(os, "replace", lambda a, b: (renamed.append(Path(b).name), replace(a, b)))
    with Staging() as staging:
        for name in ("report.json", "a.jsonl", "b.jsonl"):
            staging.open(tmp_path / name).write(NEW)
        written = staging.publish(last=tmp_path / "report.json")
    assert renamed == ["a.jsonl", "b.jsonl", "report.json"]
    assert [Path(file.path).name for file in written] == renamed


def test_former_files_go_when_the_new_ones_have_come(tmp_path):
    former, kept = tmp_path / "former.jsonl", tmp_path / "kept.jsonl"
    former.write_bytes(OLD)
    kept.write_bytes(OLD)
    with Staging() as staging:
        staging.open(kept).write(NEW)
        staging.withdraw([former, kept, tmp_path / "never.jsonl"])
        assert former.exists()
        staging.publish()
    assert names(tmp_path) == ["kept.jsonl"]


def test_a_publish_may_only_withdraw(tmp_path):
    former = tmp_path / "former.jsonl"
    former.write_bytes(OLD)
    with Staging() as staging:
        staging.withdraw([former])
        assert staging.publish() == []
    assert names(tmp_path) == []


def test_no_file_is_published_empty(tmp_path):
    target = tmp_path / "rows.jsonl.gz"
    target.write_bytes(OLD)
    with Staging() as staging:
        staging.open(tmp_path / "other.jsonl").write(NEW)
        staging.open(target).write(b"")
        with pytest.raises(ExportError, match="nothing was written to it"):
            staging.publish()
    assert target.read_bytes() == OLD
    assert names(tmp_path) == ["rows.jsonl.gz"]


def test_a_missing_folder_is_made(tmp_path):
    publish(tmp_path / "a" / "b" / "rows.jsonl")
    assert (tmp_path / "a" / "b" / "rows.jsonl").read_bytes() == NEW


def test_a_name_as_long_as_a_name_can_be_is_written(tmp_path):
    target = tmp_path / ("ä" * 124 + ".jsonl")
    publish(target)
    assert target.read_bytes() == NEW


# Targets that are refused.


@pytest.mark.parametrize("way", ["same", "relative", "symlink", "hard link"])
def test_the_source_is_never_written(tmp_path, monkeypatch, way):
    source = tmp_path / "rows.jsonl"
    source.write_bytes(OLD)
    monkeypatch.chdir(tmp_path)
    target: Path = {"same": source, "relative": Path("x/../rows.jsonl")}.get(way, Path("link"))
    (tmp_path / "x").mkdir()
    if way == "symlink":
        target.symlink_to(source)
    if way == "hard link":
        target.hardlink_to(source)
    with pytest.raises(OptionError) as caught, Staging(never=[source]) as staging:
        staging.open(target)
    assert str(caught.value) == f"{target}: the output is the source; name another"
    assert source.read_bytes() == OLD


def test_two_outputs_need_two_paths(tmp_path):
    with Staging() as staging:
        staging.open(tmp_path / "rows.jsonl").write(NEW)
        with pytest.raises(OptionError, match="two outputs have this one path"):
            staging.open(tmp_path / "x" / ".." / "rows.jsonl")


def test_a_folder_is_no_file_to_write(tmp_path):
    with pytest.raises(OptionError, match="expected the path of a file to write, got a folder"):
        publish(tmp_path)


def test_a_device_is_never_replaced():
    with pytest.raises(OptionError, match=r"/dev/null: .* got no regular file"):
        publish("/dev/null")
    assert Path("/dev/null").is_char_device()


def test_a_file_in_place_of_a_folder_is_the_callers_mistake(tmp_path):
    (tmp_path / "a").write_bytes(OLD)
    with pytest.raises(OptionError, match="cannot be written: Not a directory"):
        publish(tmp_path / "a" / "rows.jsonl")


# Modes and links.


def test_an_output_keeps_its_mode(tmp_path):
    target = tmp_path / "rows.jsonl"
    for kept in (0o600, 0o640, 0o664):
        target.write_bytes(OLD)
        target.chmod(kept)
        publish(target)
        assert mode(target) == kept


def test_a_new_output_has_the_mode_the_umask_leaves(tmp_path):
    before = os.umask(0o027)
    try:
        publish(tmp_path / "rows.jsonl")
    finally:
        os.umask(before)
    assert mode(tmp_path / "rows.jsonl") == 0o640


def test_a_private_file_and_its_new_folders_are_for_their_owner_alone(tmp_path):
    tmp_path.chmod(0o755)
    publish(tmp_path / "a" / "b" / "rows.jsonl", private=True)
    assert mode(tmp_path / "a" / "b" / "rows.jsonl") == 0o600
    assert mode(tmp_path / "a" / "b") == mode(tmp_path / "a") == 0o700
    assert mode(tmp_path) == 0o755


def test_a_private_file_is_private_also_where_an_open_one_stood(tmp_path):
    target = tmp_path / "rows.jsonl"
    target.write_bytes(OLD)
    target.chmod(0o644)
    with Staging() as staging:
        sink = staging.open(target, private=True)
        assert mode(sink.path) == 0o600
        sink.write(NEW)
        staging.publish()
    assert mode(target) == 0o600


def test_a_link_stays_and_the_file_it_leads_to_is_replaced(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "rows.jsonl").write_bytes(OLD)
    (tmp_path / "rows.jsonl").symlink_to("data/rows.jsonl")
    publish(tmp_path / "rows.jsonl")
    assert (tmp_path / "rows.jsonl").is_symlink()
    assert (tmp_path / "data" / "rows.jsonl").read_bytes() == NEW


def test_another_name_of_the_old_file_keeps_the_old_bytes(tmp_path):
    target, version = tmp_path / "rows.jsonl", tmp_path / "version.jsonl"
    target.write_bytes(OLD)
    version.hardlink_to(target)
    publish(target)
    assert (target.read_bytes(), version.read_bytes()) == (NEW, OLD)


# Kills, full disks, company.

WRITE_AND_WAIT = """
with Staging() as staging:
    sink = staging.open(sys.argv[1])
    sink.write(b"x" * 1_000_000)
    print("writing", flush=True)
    sys.stdin.read()
"""


def test_what_a_killed_run_left_is_cleared_by_the_next(tmp_path):
    target = tmp_path / "rows.jsonl"
    target.write_bytes(OLD)
    with script(WRITE_AND_WAIT, target, stdin=subprocess.PIPE) as writer:
        assert writer.stdout.readline() == "writing\n"
        writer.send_signal(signal.SIGKILL)
        writer.wait()
    assert target.read_bytes() == OLD
    assert len(names(tmp_path)) == 2
    with Staging() as staging:
        staging.open(tmp_path / "other.jsonl").write(NEW)
        assert len(names(tmp_path)) == 3
        staging.open(target).write(NEW)
        staging.publish()
    assert names(tmp_path) == ["other.jsonl", "rows.jsonl"]
    assert target.read_bytes() == NEW


def test_what_a_living_run_writes_is_left_alone(tmp_path):
    target = tmp_path / "rows.jsonl"
    with script(WRITE_AND_WAIT, target, stdin=subprocess.PIPE) as writer:
        assert writer.stdout.readline() == "writing\n"
        (part,) = tmp_path.iterdir()
        publish(target)
        assert part.exists()
        writer.stdin.close()
        writer.wait()
    assert names(tmp_path) == ["rows.jsonl"]


FILL = """
import resource
from whileai_export.shared.errors import ExportError
resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, 500_000))
try:
    with Staging() as staging:
        sink = staging.open(sys.argv[1])
        for _ in range(100):
            sink.write(b"x" * 9_999)
        staging.publish()
except ExportError as error:
    print(error)
"""


def test_a_full_disk_is_told_and_the_old_file_stays(tmp_path):
    target = tmp_path / "rows.jsonl"
    target.write_bytes(OLD)
    with script(FILL, target) as writer:
        told = writer.stdout.read()
    assert writer.returncode == 0
    assert told == (
        f"{target}: no space left for it (File too large); what stood there is untouched\n"
    )
    assert target.read_bytes() == OLD
    assert names(tmp_path) == ["rows.jsonl"]


WRITE_OFTEN = """
print("ready", flush=True)
sys.stdin.readline()
for turn in range(25):
    with Staging() as staging:
        sink = staging.open(sys.argv[1])
        for _ in range(4):
            sink.write(sys.argv[2].encode() * 50_000)
        staging.publish()
"""


def test_several_writers_of_one_output_each_write_it_whole(tmp_path):
    target = tmp_path / "rows.jsonl"
    writers = [script(WRITE_OFTEN, target, letter, stdin=subprocess.PIPE) for letter in "abc"]
    for writer in writers:
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        writer.stdin.write("go\n")
        writer.stdin.flush()
    seen = set()
    while any(writer.poll() is None for writer in writers):
        if target.exists():
            seen.add(target.read_bytes())
    for writer in writers:
        writer.communicate()
    assert [writer.returncode for writer in writers] == [0, 0, 0]
    assert seen <= {letter * 200_000 for letter in (b"a", b"b", b"c")}
    assert names(tmp_path) == ["rows.jsonl"]


def test_the_locale_does_not_change_a_byte(tmp_path):
    target = tmp_path / "rös.jsonl"
    body = """
from pathlib import Path
from whileai_export.io.simulation import save_simulation
from whileai_export.io.lines import lines
folder = save_simulation([{"prompt": "caf\\u00e9 \\u732b"}], Path(sys.argv[1]))
assert [line for _, line in lines(folder / "trajectories.jsonl")] == [
    '{"prompt": "caf\\u00e9 \\u732b"}'.encode()
]
"""
    env = {**os.environ, "LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    with script(body, target, env=env) as writer:
        writer.wait()
    assert writer.returncode == 0
    assert (target / "trajectories.jsonl").read_bytes() == '{"prompt": "café 猫"}\n'.encode()


# URLs.


@pytest.fixture
def memory():
    store = fsspec.filesystem("memory")
    store.store.clear()
    yield store
    store.store.clear()


def test_a_url_gets_one_whole_upload(memory, monkeypatch, tmp_path):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    url = "memory://out/rows.jsonl"
    with Staging() as staging:
        staging.open(url).write(NEW)
        assert not memory.exists("/out/rows.jsonl")
        (part,) = tmp_path.iterdir()
        assert mode(part) == 0o600
        written = staging.publish()
    assert memory.cat("/out/rows.jsonl") == NEW
    assert written == [Written(url, hashlib.sha256(NEW).hexdigest(), 4)]
    assert names(tmp_path) == []


def test_uploads_that_fail_leave_every_local_file_as_it_was(memory, monkeypatch, tmp_path):
    local = tmp_path / "rows.jsonl"
    local.write_bytes(OLD)

    def fail(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(type(memory), "put_file", fail)
    with Staging() as staging:
        staging.open(local).write(NEW)
        staging.open("memory://out/rows.jsonl").write(NEW)
        with pytest.raises(ExportError, match="cannot be written"):
            staging.publish()
    assert local.read_bytes() == OLD
    assert names(tmp_path) == ["rows.jsonl"]


def test_the_source_is_never_written_at_a_url_either(memory):
    with (
        pytest.raises(OptionError, match="the output is the source"),
        Staging(never=["memory://in/rows.jsonl"]) as staging,
    ):
        staging.open("memory:///in/rows.jsonl")


def test_a_file_url_is_a_path(tmp_path):
    publish((tmp_path / "rows.jsonl").as_uri())
    assert (tmp_path / "rows.jsonl").read_bytes() == NEW
