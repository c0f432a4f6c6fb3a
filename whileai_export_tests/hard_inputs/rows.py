"""The kinds of hard input, each by a short id, in our own words.

The digest is that of the contract's row; another digest there means that the row was reworded,
and that somebody has to look whether its tests still say the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

T = TypeVar("T", bound=Callable[..., object])


class HardInput(NamedTuple):
    """One kind of input that is hard to read."""

    id: str
    digest: str
    name: str


_LISTED = """
args-object        34f70528 an object, plain or written into text up to three times
args-none          2b3a66d6 no arguments at all, in four spellings
args-other-kind    26e7d78b a value that is no object
args-alias         2dc6269d another name for the arguments
args-nan           d424c62f numbers that JSON does not have
args-doubled-key   014855ba two values for one key
args-extreme       1d166592 long integers and deep nesting
args-inner-text    73a7ee7f text that holds JSON and is meant as text
args-broken        14b9394d text that is nearly JSON
args-python        9d3ce7c7 Python objects that JSON does not have
args-characters    25eb6ba1 every script, and halves of characters
args-malformed     71979a63 calls that are none
content-absent     e4d2f57f no content beside calls
content-parts      47073451 content in parts
content-result     44cb36e3 a tool result that is no text
blocks             7a5cd42a Anthropic's blocks
turn-empty         df62e7bb a turn of the assistant that says nothing
roles              2d1a7ee5 other names for the roles
system-replaced    18b24ead a prompt of the row's own under the caller's
system-twice       f4532d2a two prompts of the row's own
tools-own          443ab0b5 tools of the row's own
results-reordered  ce74b03e parallel results in another order
results-without-id 3c700318 results that do not say which call they answer
id-taken           98e479af a new id that is in use already
id-again           58e05fa1 an id that later turns use again
links-broken       9de5718b calls and results that do not meet
ends-open          1b2420e3 a last turn that nobody answered
closing-text       4da49554 a final answer and the turns before it
failed             d9a7c868 a rollout that failed or was cut
reasoning          4517bfba reasoning beside the content
think-closed       12ad137e closed blocks of reasoning
think-nested       4a20ab77 blocks inside blocks
think-unclosed     9d1a1385 a block without an end
think-only-end     fed3c76c a block without a beginning
think-code         629b729c a tag in code
think-untouched    91f916f1 tags that others wrote
think-counted      6f11eb11 how many were removed
leak-everywhere    b4cde164 every place where the assistant speaks
leak-disguised     444c1682 the same words in other characters
leak-whole-block   395e2e75 every value of the block, short ones aside
leak-told          52b198f7 what the assistant was told first
leak-unchecked     62b2f54a nothing to compare with
leak-pairs         84381316 both sides of a pair
leak-silent        8ceea0bb findings that do not repeat the words
leak-reason        739edab8 the grader's own text
file-lines         78c38083 line ends and marks of every kind
file-broken        3bfadaaf lines that hold no row
file-nan           17e440e9 NaN as Python writes it
file-packed        acf952be packed files
file-empty         cf5c7dd4 no rows at all
file-is-source     b0724a0c an output that is the input
file-crash         6fc7d36a a crash in the middle
file-writers       cc6f1b33 several writers at once
file-mode          63c8d33f a file that only its owner may read
file-locale        e167bdaf a locale without UTF-8
rewards            e71cd1a4 grades that are none
pairs-same-ask     32c8fd51 rollouts of one ask
pairs-other-ask    d262dba3 an ask in other words
pairs-equal        5b02e3e0 replies that are the same
pairs-empty        9277cbeb sides without a reply
pairs-reasons      cc833f30 tasks without a contrast
pairs-order        8f1ce7e3 rows in another order
pairs-many         d8ee71c7 a very large group
pairs-unnumbered   be589ec9 rollouts without a number
"""

ROWS = tuple(HardInput(*line.split(None, 2)) for line in _LISTED.strip().splitlines())
IDS = frozenset(row.id for row in ROWS)


def shows(*ids: str) -> Callable[[T], T]:
    """Says which kinds of hard input a test shows, from the file to what became of it."""
    unknown = set(ids) - IDS
    if unknown or not ids:
        raise ValueError(f"expected ids of hard inputs, got {sorted(unknown)}")
    return lambda test: test
