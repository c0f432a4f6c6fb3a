"""The front door: hands the Dagster project to the command line, which does not know it.

Only a command that asks for the project loads Dagster; the others start in a tenth of a second.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from whileai_export.cli.commands import commands
from whileai_export.cli.door import Door
from whileai_export.shared.project import Project


def open_project() -> Project:
    """The project in the home that the environment names."""
    from whileai_export.defs.local import LocalProject

    return LocalProject.here()


def main(args: Sequence[str] | None = None) -> None:
    """Run the command that ``args`` spell; the process's own where none are given.

    An adapter may stand in the folder of the call, as under ``python -m``; last of all places, so
    that it hides no module.
    """
    if not sys.flags.safe_path and os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    commands.main(args=list(args) if args is not None else None, obj=Door(open_project))


if __name__ == "__main__":
    main()
