"""Kills, full disks, company: the old file or the new one, whole."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from whileai_export.io.staging import Staging
from whileai_export_tests.builders import names
from whileai_export_tests.io.publishing import NEW, OLD, publish


def script(body: str, *arguments: object, **options) -> subprocess.Popen:
    code = "import sys\nfrom whileai_export.io.staging import Staging\n" + body
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        **options,
    )


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


PUBLISH_AND_DIE = """
import os
left = int(sys.argv[2])
def counted(call):
    def dying(*given, **named):
        global left
        left -= 1
        if not left:
            os.kill(os.getpid(), 9)
        call(*given, **named)
    return dying
folder = sys.argv[1]
with Staging() as staging:
    for name in ("a", "b", "report"):
        staging.open(f"{folder}/{name}").write(b"new\\n")
    from pathlib import Path
    staging.withdraw([Path(folder, "c")])
    os.replace, os.unlink = counted(os.replace), counted(os.unlink)
    staging.publish(last=f"{folder}/report", names_all=True)
"""


def test_a_report_that_is_there_names_what_stands_there_whenever_the_run_was_killed(tmp_path):
    whole = {"a": OLD, "b": OLD, "c": OLD, "report": OLD}
    seen = []
    for moment in range(1, 7):
        for name, content in whole.items():
            (tmp_path / name).write_bytes(content)
        with script(PUBLISH_AND_DIE, tmp_path, moment) as writer:
            writer.wait()
        assert writer.returncode == -9
        found = {path.name: path.read_bytes() for path in tmp_path.glob("[a-z]*")}
        seen.append(
            "report" not in found or found in (whole, dict.fromkeys(("a", "b", "report"), NEW))
        )
    assert seen == [True] * 6


def test_what_a_killed_run_left_goes_where_its_target_is_withdrawn(tmp_path):
    with script(WRITE_AND_WAIT, tmp_path / "rows.jsonl", stdin=subprocess.PIPE) as writer:
        assert writer.stdout.readline() == "writing\n"
        writer.kill()
    with Staging() as staging:
        staging.open(tmp_path / "other.jsonl").write(NEW)
        staging.withdraw([tmp_path / "rows.jsonl"])
        staging.publish()
    assert names(tmp_path) == ["other.jsonl"]


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
