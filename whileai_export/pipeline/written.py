"""What a report says of the files that were written: where they are, how many rows they hold."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

#: Nothing was written: there was no target, nothing was left to write, or a gate refused.
NOT_WRITTEN: Mapping[str, Any] = {"path": None, "n_written": 0}


def written_to(outputs: Sequence[Mapping[str, Any]], rows: int) -> Mapping[str, Any]:
    """``path`` and ``n_written`` of a report: of one file its path and its rows.

    Several files hold the same rows, or pairs, each in its format: then it is the folder that all
    of them stand in, where it is one, and the number of ``rows`` that they hold between them.
    """
    if len(outputs) == 1:
        return {"path": outputs[0]["path"], "n_written": outputs[0]["rows"]}
    folders = {os.path.dirname(output["path"]) or "." for output in outputs}
    if not folders:
        return NOT_WRITTEN
    return {"path": folders.pop() if len(folders) == 1 else None, "n_written": rows}
