"""Finds the think blocks of a text: closed, nested, never closed, or closed without an opening."""

from __future__ import annotations

import re

from whileai_export.core.code_spans import CodeSpans

_TAG = re.compile(r"<(/?)[tT][hH][iI][nN][kK](?:[iI][nN][gG])?(?:[\s/][^<>\n]*>|>|\Z)")

#: Blocks of one text that may be read again with their code marks taken for text.
_READ_AGAIN = 20


class Think:
    """One walk over a text: ``kept`` is what is no reasoning, ``removed`` what was found."""

    def __init__(self, text: str) -> None:
        self.kept: list[str] = []
        self.removed: dict[str, int] = {}
        self._text = text
        self._code: CodeSpans | None = None
        self._read_again = _READ_AGAIN
        tag = _TAG.search(text)
        if tag is None:
            return
        if "`" in text or "~~~" in text:
            self._code = CodeSpans(text)
            tag = self._outside_code(tag)
        self._walk(tag)

    def _walk(self, tag: re.Match[str] | None) -> None:
        position = 0
        while tag is not None:
            if tag[1]:
                self._count("think_orphan_close")
                if self._text[position : tag.start()].strip():
                    self.kept.clear()
                position = tag.end()
            else:
                self.kept.append(self._text[position : tag.start()])
                position = self._block_end(tag)
            tag = self._next(position)
        self.kept.append(self._text[position:])

    def _block_end(self, opening: re.Match[str]) -> int:
        """Where the reasoning ends that this tag opens."""
        if opening[0].endswith("/>"):
            self._count("think_closed")
            return opening.end()
        for with_code in (True, False) if self._code and self._read_again else (True,):
            for stutter in (False, True):
                end = self._closing(opening, with_code=with_code, stutter=stutter)
                if end is not None:
                    return end
            self._read_again -= 1
        self._count("think_unclosed")
        return len(self._text)

    def _closing(self, opening: re.Match[str], *, with_code: bool, stutter: bool) -> int | None:
        depth = deepest = 1
        last = opening
        while depth:
            tag = self._next(last.end(), with_code=with_code)
            if tag is None:
                return None
            between = self._text[last.end() : tag.start()]
            if tag[1]:
                depth -= 1
            elif not tag[0].endswith("/>") and not (
                stutter and not last[1] and not between.strip()
            ):
                depth += 1
                deepest = max(deepest, depth)
            last = tag
        self._count("think_closed" if deepest == 1 else "think_nested")
        return last.end()

    def _next(self, position: int, *, with_code: bool = True) -> re.Match[str] | None:
        tag = _TAG.search(self._text, position)
        if self._code is None or tag is None:
            return tag
        return self._outside_code(tag, position) if with_code else self._not_quoted(tag)

    def _outside_code(self, tag: re.Match[str] | None, position: int = 0) -> re.Match[str] | None:
        """The first tag from here on that no code span holds."""
        assert self._code is not None
        mark = self._code.marks_from(position)
        while tag is not None and self._code.start(mark) < tag.start():
            end = self._code.end(mark)
            if end is None:
                mark += 1
                continue
            mark = self._code.marks_from(end)
            if end > tag.start():
                tag = _TAG.search(self._text, end)
        return tag

    def _not_quoted(self, tag: re.Match[str] | None) -> re.Match[str] | None:
        """The first tag from here on that does not stand between two backticks."""
        text = self._text
        while tag is not None and text[tag.start() - 1] == text[tag.end() : tag.end() + 1] == "`":
            tag = _TAG.search(text, tag.end())
        return tag

    def _count(self, kind: str) -> None:
        self.removed[kind] = self.removed.get(kind, 0) + 1
