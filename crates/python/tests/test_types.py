"""The stubs are those of the module, and all that is public is there."""

import ast
from pathlib import Path

import vortice
from vortice import _vortice


def stubs():
    tree = ast.parse(Path(_vortice.__file__).with_name("_vortice.pyi").read_text())
    functions = {one.name for one in tree.body if isinstance(one, ast.FunctionDef)}
    classes = {
        one.name: {inner.name for inner in one.body if isinstance(inner, ast.FunctionDef)} - {"__new__"}
        for one in tree.body
        if isinstance(one, ast.ClassDef)
    }
    return functions, classes


def test_stubs_name_what_there_is():
    functions, classes = stubs()
    there = {name for name in dir(_vortice) if not name.startswith("_")}
    assert there == functions | set(classes)
    for name, members in classes.items():
        assert members == {one for one in vars(getattr(_vortice, name)) if not one.startswith("_")}, name


def test_all_is_there_and_typed():
    assert all(hasattr(vortice, name) for name in vortice.__all__)
    assert Path(vortice.__file__).with_name("py.typed").is_file()


def test_module_and_program_are_of_one_version(program):
    import subprocess

    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    assert said.split()[1] == vortice.__version__
