"""From SGF data to the tree of its first game, by sgfmill's grammar: charsets, and limits that keep it short."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from sgfmill import sgf_grammar

from montego.go.errors import SgfError, shown

MAX_BYTES = 8 << 20
MAX_NODES = 100_000
MAX_TOKENS = 1_000_000
"""The most names, values and delimiters of a game that are looked at."""
MAX_ESCAPES = 1_000_000
MAX_BEFORE_CHARSET = 1_000
"""How many properties of the root may stand before its charset."""

_START = re.compile(rb"\(\s*;")
_VALUE = re.compile(rb"\[[^\\\]]*(?:\\.[^\\\]]*)*(?:\]|\\?\Z)", re.DOTALL)
_PROPERTY = re.compile(rb"\s*([A-Za-z]+)\s*\[([^\\\]]*(?:\\.[^\\\]]*)*)\]", re.DOTALL)
_LOOKS_LIKE_CHARSET = re.compile(rb"[;\]]\s*CA\s*\[([^\]\\]{1,40})\]")
_NOT_ASCII = bytes(range(128, 256))
_PRINTABLE = bytes(range(32, 92)) + bytes(range(93, 127)) + b"\\\\"
_LARGER = {"gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949"}
"""Charsets by which files often mean a larger one."""


def parse_tree(source: bytes | str | os.PathLike[Any]) -> Any:
    """The first game in SGF data (bytes), SGF text (str) or a file (a path): sgfmill's tree, all values in UTF-8."""
    if isinstance(source, str):
        if "(" not in source:
            raise SgfError(f"{shown(source)} is no SGF text; accepted: text with '(;', or a path object for a file")
        return _parse([_limited(source.encode("utf-8", "replace"))])
    return _parse(_decodings(_limited(_content(source))))


def _content(source: bytes | os.PathLike[Any]) -> bytes:
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source)
    if not isinstance(source, os.PathLike):
        raise SgfError(f"SGF data is bytes, text or a path, not {type(source).__name__}")
    try:
        with open(source, "rb") as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise SgfError(f"cannot read the file {shown(os.fspath(source))}: {why}") from None


def _limited(data: bytes) -> bytes:
    if len(data) > MAX_BYTES:
        raise SgfError(f"the SGF data is too long; accepted: at most {MAX_BYTES >> 20} MiB")
    if data.count(b"\\") > MAX_ESCAPES:
        raise SgfError(f"too many escapes in the SGF data; accepted: at most {MAX_ESCAPES}")
    return data


def _decodings(data: bytes) -> Iterator[bytes]:
    """The data in UTF-8, read in the charset it declares, or else in one that keeps at least the moves."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        charset: str | None = "utf-16"
    else:
        charset = None if data.startswith(codecs.BOM_UTF8) else _usable_charset(_declared_charset(data))
    unicode, declared = _decode(data, "utf-8"), _decode(data, charset) if charset else None
    # What is UTF-8 by its bytes, and loses brackets if read as declared, is UTF-8 indeed.
    if unicode and declared and not data.isascii() and unicode.count(b"]") != declared.count(b"]"):
        declared = None
    for text in (declared, unicode, _decode(data, "latin-1")):
        if text is not None:
            yield text
    if charset:
        yield data.decode(charset, "replace").encode("utf-8", "replace")


def _decode(data: bytes, charset: str) -> bytes | None:
    try:
        return data.decode(charset).encode("utf-8", "replace")
    except UnicodeError:
        return None


def _declared_charset(data: bytes) -> str:
    start = _START.search(data)
    position = start.end() if start else len(data)
    for _ in range(MAX_BEFORE_CHARSET):
        match = _PROPERTY.match(data, position)
        if match is None:
            break
        if match[1] == b"CA":
            return match[2][:40].decode("latin-1").strip()
        position = match.end()
    # In some charsets a half of a character looks like a bracket or an escape, and the root is not what it seems.
    found = _LOOKS_LIKE_CHARSET.search(data)
    return found[1].decode("latin-1").strip() if found else ""


def _usable_charset(name: str) -> str | None:
    """Python's name of a charset, None if it knows none or if brackets and letters are not what they are in ASCII."""
    try:
        charset = codecs.lookup(name).name
        charset = _LARGER.get(charset, charset)
        compatible = charset != "idna" and _PRINTABLE.decode(charset) == _PRINTABLE.decode("ascii")
    except (LookupError, ValueError):
        return None
    return charset if compatible else None


def _parse(texts: Iterable[bytes]) -> Any:
    """The tree of the first text that has one."""
    failure: SgfError | None = None
    tried = set()
    for text in texts:
        skeleton = text.translate(None, _NOT_ASCII)
        if skeleton in tried:  # and so is everything that the grammar sees
            continue
        tried.add(skeleton)
        try:
            _check_amounts(text)
            return sgf_grammar.parse_sgf_game(text)
        except SgfError as error:
            failure = failure or error
        except ValueError as error:
            failure = failure or SgfError(f"{_last_node(text)}: not a complete SGF game: {error}")
    raise failure or SgfError("no SGF data")


def _last_node(text: bytes) -> str:
    """The node in which a text stops being SGF, in words."""
    start = _START.search(text)
    tokens, _ = sgf_grammar.tokenise(text, start.start() if start else 0)
    nodes = tokens.count(("D", b";"))
    return f"node {nodes - 1}" if nodes else "before the first node"


def _check_amounts(text: bytes) -> None:
    """Refuse what would take the parser too long."""
    start = _START.search(text)
    if start is None:
        raise SgfError("no SGF data: there is no '(;'")
    signs = np.frombuffer(_VALUE.sub(b"[", text[start.start() :], MAX_TOKENS), np.uint8)
    depth = np.cumsum((signs == ord("(")).view(np.int8) - (signs == ord(")")).view(np.int8), dtype=np.int32)
    closed = np.flatnonzero(depth == 0)
    if len(closed):  # other games follow
        signs = signs[: closed[0] + 1]
    nodes = int((signs == ord(";")).sum())
    if nodes > MAX_NODES:
        raise SgfError(f"the game has {nodes} nodes; accepted: at most {MAX_NODES}")
    letters = (signs | 32) - np.uint8(ord("a")) < 26
    names = int((letters[1:] & ~letters[:-1]).sum())
    if names + int(np.isin(signs, np.frombuffer(b"();[", np.uint8)).sum()) > MAX_TOKENS:
        raise SgfError(f"the game has too many properties; accepted: at most {MAX_TOKENS} names, values and signs")
