"""What is in an exported file, opened as far as it opens: for tests of what players can find."""

from __future__ import annotations

import base64
import io
import re
import zipfile
from collections.abc import Iterator, Mapping

Files = Mapping[str, bytes]
_BASE64 = re.compile(rb"[A-Za-z0-9+/]{24,}={0,2}")
_ESCAPED = re.compile(r"\\u([0-9a-f]{4})|&#(x?)([0-9a-f]+);|%([0-9a-f]{2})", re.I)


def everything(files: Files) -> Iterator[tuple[str, str]]:
    """Every name and every text that is in some files, also inside archives, and decoded."""
    for name, content in files.items():
        yield name, name
        for text in texts(content):
            yield name, text
        if name.endswith(".zip"):
            yield from everything(_of_archive(content))


def _of_archive(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        made = {each.filename: archive.read(each) for each in archive.infolist()}
        comments = b" ".join([archive.comment, *(each.comment for each in archive.infolist())])
        extra = b" ".join(each.extra for each in archive.infolist())
    return {**made, "(comments)": comments, "(extra fields)": extra}


def texts(content: bytes) -> Iterator[str]:
    """Some bytes as text, and as whatever text is written in them by numbers or in base 64."""
    plain = content.decode("utf-8", "replace")
    yield plain
    yield content.decode("utf-16", "replace")
    yield _ESCAPED.sub(_letter, plain)
    for found in _BASE64.findall(content):
        yield base64.b64decode(found[: len(found) // 4 * 4]).decode("utf-8", "replace")


def _letter(found: re.Match[str]) -> str:
    four, is_hex, number, two = found.groups()
    if four or two:
        return chr(int(four or two, 16))
    try:
        return chr(int(number, 16 if is_hex else 10))
    except (ValueError, OverflowError):
        return ""
