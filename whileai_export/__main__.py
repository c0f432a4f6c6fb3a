"""The front door: hands the Dagster project to the command line, which does not know it.

Only a command that asks for the project loads Dagster; the others start in a tenth of a second.
"""

from __future__ import annotations

from collections.abc import Sequence

from whileai_export.cli.commands import commands
from whileai_export.cli.door import Door
from whileai_export.shared.project import Project


def open_project() -> Project:
    """The project in the home that the environment names."""
    from whileai_export.defs.local import LocalProject

    return LocalProject.here()


def main(args: Sequence[str] | None = None) -> None:
    """Run the command that ``args`` spell; the process's own where none are given."""
    commands.main(args=list(args) if args is not None else None, obj=Door(open_project))


if __name__ == "__main__":
    main()
