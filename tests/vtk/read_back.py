#!/usr/bin/env python3
"""Reads fields with VTK's own readers and compares them with what was written.

    read_back.py FIELDS.vtkhdf EXPECTED.json

FIELDS.vtkhdf is read with vtkHDFReader, the .xmf of the same stem with vtkXdmfReader. EXPECTED.json
holds what the writer knows:

    {"cells": [nx, ny, nz], "bounds": [x0, x1, y0, y1, z0, z1], "times": [...],
     "arrays": {NAME: {"components": n, "type": "float|double|unsigned char",
                       "steps": [[values of the step, x fastest, components together], ...]}}}

A step may also be {"sum": ..., "range": [low, high], "samples": [[cell, component, value], ...]}
instead of all its values. Prints one line a check; the exit code is 1 if one fails. Needs the
packages vtk and numpy.
"""

import json
import sys

import numpy
import vtkmodules.vtkIOHDF as hdf
import vtkmodules.vtkIOXdmf2 as xdmf
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkVersion
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as pipeline

failures = 0


def check(what, found, expected, agree):
    """Prints one line and counts a failure."""
    global failures
    failures += not agree
    shown = "" if agree else f": found {found}, expected {expected}"
    print(f"{'ok  ' if agree else 'FAIL'} {what}{shown}")


def close(found, expected):
    """Whether numbers are equal up to the rounding of sums; values themselves are compared exactly."""
    return bool(numpy.allclose(found, expected, rtol=1e-6, atol=1e-12))


def times_of(reader):
    """The times that a reader announces."""
    reader.UpdateInformation()
    information = reader.GetOutputInformation(0)
    if not information.Has(pipeline.TIME_STEPS()):
        return []
    return list(information.Get(pipeline.TIME_STEPS()))


def grid_at(reader, time):
    """The grid at a time, out of the blocks that a reader may wrap it in."""
    reader.UpdateTimeStep(time)
    grid = reader.GetOutputDataObject(0)
    while grid is not None and grid.IsA("vtkMultiBlockDataSet"):
        grid = grid.GetBlock(0)
    return grid


def check_step(what, values, expected):
    """One array at one step: all values, or sum, range and samples."""
    if isinstance(expected, list):
        expected = numpy.array(expected, dtype=values.dtype).reshape(values.shape)
        wrong = int((values != expected).sum())
        check(f"{what}: {values.size} values", f"{wrong} others", "the same", wrong == 0)
        return
    total = float(values.sum(dtype=numpy.float64))
    check(f"{what}: sum", total, expected["sum"], close(total, expected["sum"]))
    ends = [float(values.min()), float(values.max())]
    check(f"{what}: range", ends, expected["range"], close(ends, expected["range"]))
    for cell, component, value in expected["samples"]:
        found = float(values.reshape(values.shape[0], -1)[cell, component])
        check(f"{what}: cell {cell}, component {component}", found, value, close(found, value))


def check_reader(name, reader, path, expected):
    """Everything that one reader sees in one file."""
    reader.SetFileName(path)
    # A step that is alone stands twice in a file.
    times = list(dict.fromkeys(times_of(reader)))
    check(f"{name}: times", times, expected["times"], times == expected["times"])
    for step, time in enumerate(times):
        grid = grid_at(reader, time)
        if grid is None:
            check(f"{name}: step {step}", "no grid", "a grid", False)
            continue
        if step == 0:
            dimensions = list(grid.GetDimensions())
            points = [n + 1 for n in expected["cells"]]
            check(f"{name}: points", dimensions, points, dimensions == points)
            bounds = list(grid.GetBounds())
            check(f"{name}: bounds", bounds, expected["bounds"], close(bounds, expected["bounds"]))
        data = grid.GetCellData()
        names = sorted(data.GetArrayName(i) for i in range(data.GetNumberOfArrays()))
        check(f"{name}: step {step}: arrays", names, sorted(expected["arrays"]),
              names == sorted(expected["arrays"]))
        for array, about in expected["arrays"].items():
            found = data.GetArray(array)
            if found is None:
                continue
            what = f"{name}: step {step}: {array}"
            kind = (found.GetDataTypeAsString(), found.GetNumberOfComponents())
            check(f"{what}: type", kind, (about["type"], about["components"]),
                  kind == (about["type"], about["components"]))
            if step < len(about["steps"]):
                check_step(what, vtk_to_numpy(found), about["steps"][step])


def main():
    if len(sys.argv) != 3:
        print(__doc__)
        return 2
    fields, expected = sys.argv[1], json.load(open(sys.argv[2], encoding="utf-8"))
    print("VTK", vtkVersion.GetVTKVersion())
    hdf_reader = hdf.vtkHDFReader()
    check("vtkhdf: readable", False, True, bool(hdf_reader.CanReadFile(fields)))
    check_reader("vtkhdf", hdf_reader, fields, expected)
    companion = fields.rsplit(".", 1)[0] + ".xmf"
    check_reader("xmf", xdmf.vtkXdmfReader(), companion, expected)
    print(f"{failures} of the checks failed" if failures else "all checks passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
