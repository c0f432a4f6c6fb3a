"""Files at a URL, through fsspec: one whole download, one whole upload."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from whileai_export.shared.errors import ExportError, OptionError, SourceError

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+(::[A-Za-z0-9+.-]+)*://")


class Place(NamedTuple):
    """A path inside a store."""

    store: Any
    path: str

    def beside(self, name: str) -> Place:
        """Another name in the same folder."""
        return Place(self.store, f"{self.path.rpartition('/')[0]}/{name}")

    def inside(self, name: str) -> Place:
        """A name in the folder that this is."""
        return Place(self.store, f"{self.path.rstrip('/')}/{name}")


def is_url(text: str) -> bool:
    """Whether a text names a store and not a local path."""
    return _SCHEME.match(text) is not None


def local_path(url: str) -> Path | None:
    """The path that a ``file://`` URL stands for; refused where it names another machine."""
    parts = urlsplit(url)
    if parts.scheme != "file":
        return None
    if parts.netloc not in ("", "localhost"):
        raise OptionError(f"{url}: expected file:///PATH, got a host: {parts.netloc}")
    return Path(unquote(parts.path)) if parts.path else None


def shown(url: str) -> str:
    """A URL without what may be secret in it: user, password, query."""
    return re.sub(r"//[^/@]*@", "//", url.partition("?")[0].partition("#")[0])


def place(url: str) -> Place:
    """Where a URL points. Needs fsspec, and the store's own driver."""
    try:
        from fsspec.core import url_to_fs  # type: ignore[import-untyped]
    except ImportError:
        raise OptionError(f"{shown(url)}: needs fsspec; install whileai-export[remote]") from None
    try:
        return Place(*url_to_fs(url))
    except (ImportError, ValueError) as error:
        raise OptionError(f"{shown(url)}: this kind of URL cannot be opened: {error}") from None


def fetch(source: Place, target: Path, url: str) -> None:
    """Copies one remote file to a local path."""
    try:
        source.store.get_file(source.path, str(target))
    except FileNotFoundError:
        raise SourceError(f"{shown(url)}: no such file") from None
    except Exception as error:
        raise SourceError(f"{shown(url)}: cannot be read ({type(error).__name__})") from error


def is_there(source: Place, url: str) -> bool:
    """Whether a remote file exists; a store that may not say so has none."""
    try:
        return bool(source.store.exists(source.path))
    except PermissionError:
        return False
    except Exception as error:
        raise SourceError(f"{shown(url)}: cannot be read ({type(error).__name__})") from error


def fetch_if_there(source: Place, target: Path, url: str) -> None:
    """Copies one remote file where it exists."""
    if is_there(source, url):
        fetch(source, target, url)


def put(local: Path, target: Place, url: str) -> None:
    """Uploads one whole local file."""
    try:
        parent = target.path.rpartition("/")[0]
        if parent:
            target.store.makedirs(parent, exist_ok=True)
        target.store.put_file(str(local), target.path)
    except Exception as error:
        raise ExportError(f"{shown(url)}: cannot be written ({type(error).__name__})") from error
