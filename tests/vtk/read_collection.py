#!/usr/bin/env python3
"""Reads a collection of grids with VTK's own reader and compares it with what was written.

    read_collection.py COLLECTION.vtkhdf EXPECTED.json

EXPECTED.json holds what the writer knows, a list of the parts in their order:

    [{"name": "one", "cells": [nx, ny, nz], "bounds": [x0, x1, y0, y1, z0, z1],
      "arrays": {NAME: {"components": n, "type": "float|double|unsigned char",
                        "values": [x fastest, components together]}}}]

Prints one line a check; the exit code is 1 if one fails. Needs the packages vtk and numpy.
"""

import json
import sys

import numpy
import vtkmodules.vtkIOHDF as hdf
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkVersion
from vtkmodules.vtkCommonDataModel import vtkCompositeDataSet

from read_back import check, close
import read_back


def check_array(what, found, about):
    """One array of one part, with its type and all its values."""
    kind = (found.GetDataTypeAsString(), found.GetNumberOfComponents())
    expected = (about["type"], about["components"])
    check(f"{what}: type", kind, expected, kind == expected)
    values = vtk_to_numpy(found)
    same = values.size == len(about["values"])
    if same:
        wanted = numpy.array(about["values"], dtype=values.dtype).reshape(values.shape)
        same = bool((values == wanted).all())
    check(f"{what}: {values.size} values", "others", "the same", same)


def check_part(collection, index, part):
    """One part: its name, its grid and its arrays."""
    name = collection.GetMetaData(index).Get(vtkCompositeDataSet.NAME())
    # VTK 9.4 knows names in the assembly only.
    check(f"part {index}: name", name, part["name"], name in (None, part["name"]))
    grid = collection.GetPartition(index, 0)
    if grid is None:
        check(f"{part['name']}: grid", "none", "a grid", False)
        return
    kind = grid.GetClassName()
    check(f"{part['name']}: kind", kind, "vtkImageData", kind == "vtkImageData")
    points, wanted = list(grid.GetDimensions()), [n + 1 for n in part["cells"]]
    check(f"{part['name']}: points", points, wanted, points == wanted)
    bounds = list(grid.GetBounds())
    check(f"{part['name']}: bounds", bounds, part["bounds"], close(bounds, part["bounds"]))
    cells = grid.GetCellData()
    names = sorted(cells.GetArrayName(i) for i in range(cells.GetNumberOfArrays()))
    check(f"{part['name']}: arrays", names, sorted(part["arrays"]), names == sorted(part["arrays"]))
    for array, about in part["arrays"].items():
        found = cells.GetArray(array)
        if found is not None:
            check_array(f"{part['name']}: {array}", found, about)


def check_assembly(collection, parts):
    """The tree that ParaView shows: a node of each part's name, holding that part."""
    assembly = collection.GetDataAssembly()
    if assembly is None:
        check("assembly", "none", "a tree", False)
        return
    nodes = [assembly.GetChild(0, i) for i in range(assembly.GetNumberOfChildren(0))]
    found = [(assembly.GetNodeName(node), list(assembly.GetDataSetIndices(node))) for node in nodes]
    wanted = [(part["name"], [index]) for index, part in enumerate(parts)]
    check("assembly", found, wanted, found == wanted)


def main():
    if len(sys.argv) != 3:
        print(__doc__)
        return 2
    parts = json.load(open(sys.argv[2], encoding="utf-8"))
    print("VTK", vtkVersion.GetVTKVersion())
    reader = hdf.vtkHDFReader()
    check("readable", False, True, bool(reader.CanReadFile(sys.argv[1])))
    reader.SetFileName(sys.argv[1])
    reader.Update()
    collection = reader.GetOutputDataObject(0)
    kind = collection.GetClassName()
    check("kind", kind, "a collection", kind == "vtkPartitionedDataSetCollection")
    if not read_back.failures:
        count = collection.GetNumberOfPartitionedDataSets()
        check("parts", count, len(parts), count == len(parts))
        check_assembly(collection, parts)
        for index, part in enumerate(parts[:count]):
            check_part(collection, index, part)
    failures = read_back.failures
    print(f"{failures} of the checks failed" if failures else "all checks passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
