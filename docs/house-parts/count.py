"""Lines, files and circles."""

from manifests import TOP
from sources import roots, without_tests, without_text


def circles(crate):
    """Groups of files that import each other in a circle, with all imports between files."""
    imports = {}
    for root in roots(crate):
        for importer, imported in root.imports():
            imports.setdefault(importer, set()).add(imported)

    def reached(file):
        found, new = set(), [file]
        while new:
            more = imports.get(new.pop(), set()) - found
            found |= more
            new += more
        return found

    all_reached = {file: reached(file) for file in imports}
    groups = {
        tuple(sorted(other for other in found if file in all_reached.get(other, ())))
        for file, found in all_reached.items()
        if file in found
    }
    return sorted(groups), imports


def lines_outside_tests(file):
    """The lines of a Rust file less those of its tests."""
    source = file.read_text()
    code = without_text(source)
    return source.count("\n") - code.count("\n") + without_tests(code).count("\n")


def table(crates):
    """The table of `docs/house count`."""
    cuda = {}
    for file in sorted((TOP / "kernels").rglob("*.cu*")):
        folder = file.relative_to(TOP / "kernels").parts[0]
        cuda.setdefault(folder if folder in crates else None, {})[file] = file.read_text().count("\n")
    rust = {}
    for crate in crates.values():
        files = sorted({one.file for root in roots(crate) for one in root.all()})
        rust[crate.name] = {file: lines_outside_tests(file) for file in files}
    yield "| crate | lines of Rust | lines of CUDA | files | longest file | its lines | circles | files in circles |"
    yield "|---|--:|--:|--:|---|--:|--:|--:|"
    sums, all_files = [0] * 5, {}
    for crate in [*crates, None]:
        files = {**rust.get(crate, {}), **cuda.get(crate, {})}
        groups = circles(crates[crate])[0] if crate else []
        row = [sum(rust.get(crate, {}).values()), sum(cuda.get(crate, {}).values()), len(files)]
        row += [len(groups), sum(map(len, groups))]
        sums = [a + b for a, b in zip(sums, row)]
        all_files.update(files)
        yield line(f"`{crate}`" if crate else "the rest of `kernels/`", row, files)
    yield line("all", sums, all_files)


def line(title, row, files):
    longest = max(files, key=files.get)
    rust, cuda, n_files, n_circles, in_circles = (f"{number:,}" for number in row)
    return f"| {title} | {rust} | {cuda} | {n_files} | `{longest.relative_to(TOP)}` | {files[longest]} | {n_circles} | {in_circles} |"


def circles_listed(crates):
    """The text of `docs/house circles`."""
    for crate in crates.values():
        groups, imports = circles(crate)
        source = crate.folder / "src"
        for group in groups:
            yield f"{crate.name}: {len(group)} files in a circle"
            for file in group:
                others = sorted(str(other.relative_to(source)) for other in imports[file] if other in group)
                yield f"    {file.relative_to(source)} imports {', '.join(others)}"
