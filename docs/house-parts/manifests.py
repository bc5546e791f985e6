"""The crates of crates/, by `cargo metadata`: it knows what manifests inherit and rename."""

import json
import os
import subprocess
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent

# Libraries that are the reason for a crate, by package: the picture names them where a manifest does.
HIDDEN = {
    "cudarc": "CUDA (cudarc)",
    "mpi": "MPI (rsmpi)",
    "hdf5-metno": "HDF5",
    "kuva": "plots (kuva)",
    "pyo3": "Python (pyo3)",
}


class Crate:
    """A crate of crates/."""

    def __init__(self, package, folder):
        self.name = folder.name
        self.folder = folder
        self.about = package["description"] or ""
        self.is_for_tests = package["publish"] == []
        normal = [d for d in package["dependencies"] if d["kind"] is None]
        paths = {Path(d["path"]) for d in normal if d.get("path")}
        self.uses = sorted(path.name for path in paths if path.parent == folder.parent)
        self.hides = [HIDDEN[name] for name in HIDDEN if name in {d["name"] for d in normal}]


def crates():
    """The crates by name."""
    command = [os.environ.get("CARGO", "cargo"), "metadata", "--no-deps", "--offline", "--format-version", "1"]
    packages = json.loads(subprocess.check_output(command, cwd=TOP))["packages"]
    folders = [(package, Path(package["manifest_path"]).parent) for package in packages]
    ours = [Crate(package, folder) for package, folder in folders if folder.parent == TOP / "crates"]
    return {crate.name: crate for crate in sorted(ours, key=lambda crate: crate.name)}


def levels(crates):
    """How many crates stand below each at most, one on the other."""
    level = {}

    def of(name):
        if name not in level:
            level[name] = 1 + max((of(used) for used in crates[name].uses), default=-1)
        return level[name]

    for name in crates:
        of(name)
    return level


def arrows(crates):
    """Pairs of a crate and what it uses, without those that follow from others."""
    below = {}

    def all_below(name):
        if name not in below:
            uses = crates[name].uses
            below[name] = set(uses).union(*(all_below(used) for used in uses))
        return below[name]

    return [
        (name, used)
        for name in crates
        for used in crates[name].uses
        if not any(used in all_below(other) for other in crates[name].uses)
    ]
