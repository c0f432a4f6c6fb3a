"""Compressed files, told by their suffix: ``.gz`` always, ``.zst`` where zstandard is installed."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO, Protocol, cast

from whileai_export.shared.errors import OptionError, SourceError

#: A compressed piece this small unfolds into 32 MiB at the very most.
PIECE_BYTES = 1024


class Packer(Protocol):
    """Takes plain bytes a piece at a time and gives packed ones, the rest of them at the end."""

    def compress(self, data: bytes, /) -> bytes: ...

    def flush(self) -> bytes: ...


def is_packed(path: Path) -> bool:
    """Whether the suffix says that the file is compressed."""
    return path.suffix in (".gz", ".zst")


@contextmanager
def unpacked(path: Path) -> Iterator[BinaryIO]:
    """A file's bytes, unpacked where its suffix says so. A damaged one is a ``SourceError``."""
    try:
        with _opened(path) as stream:
            yield stream
    except (EOFError, gzip.BadGzipFile, zlib.error, _DamagedFrame) as error:
        raise SourceError(
            f"{path}: expected a whole {path.suffix} file, got a damaged or torn one"
        ) from error


def _opened(path: Path) -> BinaryIO:
    match path.suffix:
        case ".gz":
            return cast(BinaryIO, gzip.open(path, "rb"))
        case ".zst":
            zstandard = _zstandard(path)
            frames = _Frames(path.open("rb"), zstandard)
            return cast(BinaryIO, io.BufferedReader(frames, 1 << 17))
    return path.open("rb")


def packer(path: Path) -> Packer | None:
    """What packs a file by its suffix; None where the suffix asks for no packing.

    The same bytes give the same file: neither the time nor the name is recorded.
    """
    match path.suffix:
        case ".gz":
            return zlib.compressobj(6, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
        case ".zst":
            return cast(Packer, _zstandard(path).ZstdCompressor(level=3).compressobj())
    return None


def _zstandard(path: Path) -> ModuleType:
    try:
        import zstandard
    except ImportError:
        raise OptionError(
            f"{path.name}: .zst needs zstandard; install whileai-export[zst]"
        ) from None
    return zstandard


class _DamagedFrame(Exception):
    """Bytes that are no zstd frame."""


class _Frames(io.RawIOBase):
    """The bytes of zstd frames. A frame that is cut off is an error, never a shorter file."""

    def __init__(self, file: BinaryIO, zstandard: ModuleType) -> None:
        self._file = file
        self._zstandard = zstandard
        self._frame: Any = None
        self._held = b""
        self._unpacked = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._unpacked:
            piece = self._held or self._file.read(PIECE_BYTES)
            if not piece:
                if self._frame is not None:
                    raise EOFError("a zstd frame is cut off")
                return 0
            self._unpacked = memoryview(self._unpack(piece))
        count = min(len(buffer), len(self._unpacked))
        buffer[:count] = self._unpacked[:count]
        self._unpacked = self._unpacked[count:]
        return count

    def _unpack(self, piece: bytes) -> bytes:
        frame = self._frame or self._zstandard.ZstdDecompressor().decompressobj()
        try:
            data: bytes = frame.decompress(piece)
        except self._zstandard.ZstdError as error:
            raise _DamagedFrame(str(error)) from None
        self._held = frame.unused_data if frame.eof else b""
        self._frame = None if frame.eof else frame
        return data

    def close(self) -> None:
        self._file.close()
        super().close()
