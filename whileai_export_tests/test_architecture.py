"""The walls: who may import whom, what each room may touch, and how large things get."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "whileai_export"
FILES = sorted(PACKAGE.rglob("*.py"))

#: A room and the rooms below it that it may import. ``export`` is the public functions and the
#: pipeline behind them. The front door, ``__main__``, is no room: it hands the Dagster project to
#: the command line, so that neither of the two imports the other.
ROOMS: dict[str, frozenset[str]] = {
    "defs": frozenset({"export", "versions", "shared"}),
    "cli": frozenset({"export", "versions", "demo", "shared"}),
    "versions": frozenset({"export", "core", "io", "shared"}),
    "export": frozenset({"core", "io", "shared"}),
    "demo": frozenset({"shared"}),
    "core": frozenset({"shared"}),
    "io": frozenset({"shared"}),
    "shared": frozenset(),
    "door": frozenset({"cli", "defs", "shared"}),
}
ROOM_OF = {"definitions": "defs", "pipeline": "export", "__init__": "export", "__main__": "door"}

#: What each room may use beside the standard library.
OUTSIDE: dict[str, frozenset[str]] = {
    "defs": frozenset({"dagster", "dagster_shared", "pydantic", "orjson"}),
    "cli": frozenset({"click", "rich"}),
    "door": frozenset({"click"}),
    "export": frozenset({"orjson"}),
    "versions": frozenset({"orjson"}),
    "demo": frozenset(),
    "core": frozenset({"orjson"}),
    "io": frozenset({"orjson", "zstandard", "fsspec"}),
    "shared": frozenset(),
}
IMPURE = frozenset(
    """os io pathlib shutil tempfile glob fileinput random secrets time datetime logging socket
    subprocess threading multiprocessing concurrent sys urllib http""".split()
)


def room(file: Path) -> str:
    top = file.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return ROOM_OF.get(top, top)


def imported(file: Path) -> Iterator[tuple[int, str]]:
    """Line and full dotted name of everything a file imports, inside functions too."""
    here = ["whileai_export", *file.relative_to(PACKAGE).parent.parts]
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = [*here[: len(here) - node.level + 1]] if node.level else []
            name = ".".join([*base, *filter(None, [node.module])])
            single = name == "whileai_export"
            yield from (
                (node.lineno, f"{name}.{alias.name}" if single else name) for alias in node.names
            )


def told(file: Path, line: int, what: str) -> str:
    return f"{file.relative_to(PACKAGE)}:{line} {what}"


def test_every_file_stands_in_a_room():
    assert {room(file) for file in FILES} <= ROOMS.keys()


def test_a_file_imports_only_from_rooms_below_its_own():
    crossed = []
    for file in FILES:
        for line, name in imported(file):
            top, _, rest = name.partition(".")
            if top != "whileai_export":
                continue
            inner = rest.split(".")[0]
            # `from whileai_export import export_dataset` is the export room's face.
            target = ROOM_OF.get(inner, inner if inner in ROOMS else "export")
            if target != room(file) and target not in ROOMS[room(file)]:
                crossed.append(told(file, line, f"({room(file)}) imports {name}"))
    assert crossed == []


def test_a_room_uses_only_the_outside_packages_it_is_allowed():
    used = []
    for file in FILES:
        for line, name in imported(file):
            top = name.split(".")[0]
            if top == "whileai_export" or top in sys.stdlib_module_names:
                continue
            if top not in OUTSIDE[room(file)] | extras(file):
                used.append(told(file, line, f"({room(file)}) uses {top}"))
    assert used == []


def extras(file: Path) -> frozenset[str]:
    """``jsonschema_rs`` validates in one file of ``core``."""
    return frozenset({"jsonschema_rs"} if file.name == "tool_schema.py" else ())


def test_core_touches_no_file_clock_chance_or_log():
    touched = []
    for file in (PACKAGE / "core").rglob("*.py"):
        touched += [
            told(file, line, name) for line, name in imported(file) if name.split(".")[0] in IMPURE
        ]
        touched += [
            told(file, node.lineno, node.func.id)
            for node in ast.walk(ast.parse(file.read_text("utf-8")))
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in {"open", "print", "input", "eval", "exec"}
        ]
    assert touched == []


def loaded_by(statement: str) -> set[str]:
    """Top-level modules outside the standard library that a new interpreter then holds."""
    code = "\n".join(
        [
            "import sys",
            f"sys.path.insert(0, {str(PACKAGE.parent)!r})",
            statement,
            "print('LOADED', *{m.split('.')[0] for m in sys.modules})",
        ]
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    loaded = done.stdout.rpartition("LOADED")[2].split()
    return {name for name in loaded if name[0] != "_"} - set(sys.stdlib_module_names)


def test_importing_the_library_needs_orjson_alone():
    bare = loaded_by("pass")
    assert loaded_by("import whileai_export") - bare - {"whileai_export"} <= {"orjson"}


def test_a_command_without_dagster_does_not_load_it():
    loaded = loaded_by(
        "from whileai_export.__main__ import main\n"
        "try:\n    main(['export', '--help'])\nexcept SystemExit: pass"
    )
    assert "dagster" not in loaded


def test_nothing_evaluates_text_or_unpickles_data():
    found = [
        told(file, node.lineno, ast.unparse(node.func))
        for file in FILES
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func)
        in {"eval", "exec", "pickle.load", "pickle.loads", "marshal.loads", "os.system"}
    ]
    assert found == []


def test_every_file_fits_its_screen():
    tests = Path(__file__).parent
    lengths = {
        str(file.relative_to(PACKAGE.parent)): len(file.read_text("utf-8").splitlines())
        for file in [*FILES, *tests.rglob("*.py")]
    }
    assert {name: n for name, n in lengths.items() if n > 200} == {}


def test_nothing_is_called_by_a_word_that_says_nothing():
    empty = {"utils", "util", "helpers", "helper", "common", "misc", "process", "handle"}
    found = [str(file.relative_to(PACKAGE)) for file in FILES if file.stem in empty]
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            named = isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef)
            if named and node.name.strip("_").lower() in empty:
                found.append(told(file, node.lineno, node.name))
    assert found == []


def test_every_source_file_has_its_test_in_the_same_place():
    tests = Path(__file__).parent
    missing = []
    for file in FILES:
        place = file.relative_to(PACKAGE)
        if file.name == "__init__.py" or room(file) == "shared":
            continue
        if not (tests / place.parent / f"test_{file.stem.strip('_')}.py").exists():
            missing.append(str(place))
    assert missing == []
