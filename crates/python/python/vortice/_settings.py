"""Settings of a case: names of keys in short, and values as TOML."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from difflib import get_close_matches
from os import PathLike, fspath
from typing import Any

from . import _vortice
from ._errors import CaseError


def toml(value: Any, key: str = "") -> str:
    """A value as TOML, in one line."""
    if hasattr(value, "tolist"):
        # Numbers and arrays of numpy.
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else str(value)
    if isinstance(value, PathLike):
        value = fspath(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_name(k)} = {toml(v, key)}" for k, v in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml(one, key) for one in value) + "]"
    raise CaseError(
        f"{key}: {value!r} is of type {type(value).__name__}",
        key=key,
        value=value,
        remedy="give a number, a text, True or False, a list or a dict",
    )


def _name(key: Any) -> str:
    text = str(key)
    plain = text and all(c.isascii() and (c.isalnum() or c in "-_") for c in text)
    return text if plain else json.dumps(text)


def document(tables: Mapping[str, Any]) -> str:
    """The text of a case of its keys."""
    return "".join(f"{_name(key)} = {toml(value, str(key))}\n" for key, value in tables.items())


def settings(given: Mapping[str, Any]) -> list[str]:
    """`key=value` for each: `viscosity` is `fluid.viscosity`, and `fdm={"over-relaxation": 1.7}` one key of that table."""
    sets = []
    for name, value in given.items():
        for key, one in _keys(name, value):
            sets.append(f"{key}={toml(one, key)}")
    return sets


def _keys(name: str, value: Any) -> list[tuple[str, Any]]:
    key = name.replace("_", "-")
    known = _vortice.known_keys()
    tables = {one.split(".")[0] for one in known if "." in one} | {one for one, _ in _vortice.methods()}
    if "." in key:
        return [(key, value)]
    if key in tables and isinstance(value, Mapping):
        return [(f"{key}.{inner}", one) for inner, one in value.items()]
    if key in tables or key in known:
        return [(key, value)]
    ending = [one for one in known if one.rsplit(".", 1)[-1] == key]
    fewest = min((one.count(".") for one in ending), default=0)
    nearest = [one for one in ending if one.count(".") == fewest]
    # How to run comes before what to write.
    nearest = [one for one in nearest if one == f"run.{key}"] or nearest
    if len(nearest) == 1:
        return [(nearest[0], value)]
    if nearest:
        problem = "may be " + " or ".join(f"`{one}`" for one in nearest)
        remedy = f'write the whole key: **{{"{nearest[0]}": ...}}'
    else:
        words = {one.rsplit(".", 1)[-1] for one in known} | tables | {"reynolds", "method"}
        near = get_close_matches(key, sorted(words), 1)
        problem = "there is no such key"
        remedy = f"did you mean `{near[0]}`?" if near else "docs/src/case-file.md lists the keys"
    raise CaseError(f"{name}: {problem}", key=name, value=value, remedy=remedy)
