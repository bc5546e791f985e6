"""The modules of a crate, and which file imports which.

An import of a file is a `use` declaration or a path in its code that begins with `crate::`, `super::`,
`self::` or the name of a module that the file declares. It leads to the file that defines the name:
through `use` declarations that only pass a name on, and not to the modules on the way. Hence
`mod child;` is no import, but `use child::Name` is one, with `pub` or without. What tests alone have
is left out.
"""

import re

CODE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|b?r(#*)".*?"\1|b?"(?:\\.|[^"\\])*"|b?'(?:\\.[^'\n]*|[^\\'\n])'""", re.DOTALL
)
TEST_ITEM = re.compile(r"#\[cfg\((?:test|all\(test\b[^\]]*)\)\]")
MODULE = re.compile(r"\bmod\s+(\w+)\s*([;{])")
USE = re.compile(r"(?:\bpub\s*(?:\([^)]*\)\s*)?)?\buse\s+([^;]+);")
PATH = re.compile(r"(?<![\w$:.])(\w+(?:::\w+)+)")
DEFINED = re.compile(r"\b(?:fn|struct|enum|trait|type|const|static|union|macro_rules!)\s+(\w+)")


def without_text(source):
    """Rust without comments and what strings and characters hold; lines stay where they are."""
    return CODE.sub(lambda found: "\n" * found.group().count("\n"), source)


def item_end(code, start):
    """Where an item ends that begins at `start`: after its braces, or after a semicolon."""
    depth = 0
    for at in range(start, len(code)):
        depth += (code[at] in "([{") - (code[at] in ")]}")
        if depth == 0 and code[at] in ";}":
            return at + 1
    return len(code)


def without_tests(code):
    """Code without the items that only tests have."""
    while found := TEST_ITEM.search(code):
        end = item_end(code, found.end())
        code = code[:found.start()] + code[end:].removeprefix("\n")
    return code


class Module:
    """A module of a crate: its file, its own modules, and the names that `use` gives it."""

    def __init__(self, file, code, parent, folder):
        self.file, self.parent, self.root = file, parent, parent.root if parent else self
        self.children, self.names, self.globs, self.paths = {}, {}, [], []
        while (found := MODULE.search(code)) is not None:
            name, end = found.group(1), found.end()
            if found.group(2) == "{":
                end = item_end(code, found.start())
                inside = code[found.end():end - 1]
                self.children[name] = Module(file, inside, self, folder / name)
            else:
                self.children[name] = self.in_file(folder, name)
            code = code[:found.start()] + code[end:]
        for use in USE.finditer(code):
            self.add_use([], use.group(1))
        code = USE.sub("", code)
        self.paths += [found.group(1).split("::") for found in PATH.finditer(code)]
        self.defined = set(DEFINED.findall(code))

    def in_file(self, folder, name):
        file = folder / f"{name}.rs"
        file = file if file.exists() else folder / name / "mod.rs"
        return Module(file, code_of(file), self, folder / name)

    def add_use(self, before, tree):
        """The names of a `use`, which may be a tree in braces."""
        tree = tree.strip()
        if "{" in tree:
            head, inside = tree[:tree.index("{")], tree[tree.index("{") + 1:tree.rindex("}")]
            head = before + [part.strip() for part in head.split("::") if part.strip()]
            for branch in branches(inside):
                self.add_use(head, branch)
            return
        path, _, renamed = (part.strip() for part in tree.partition(" as "))
        path = before + [part.strip() for part in path.split("::") if part.strip()]
        if path[-1] == "self":
            path.pop()
        if path[-1] == "*":
            self.globs.append(path[:-1])
            self.paths.append(path[:-1])
            return
        self.names[renamed or path[-1]] = path
        self.paths.append(path)

    def home(self, path, seen=()):
        """The module that defines what a path leads to; none if it leads out of the crate."""
        here, rest = self, list(path)
        if rest[0] == "crate":
            here, rest = self.root, rest[1:]
        elif rest[0] in ("self", "super"):
            while rest and rest[0] in ("self", "super"):
                here, rest = (here.parent or here) if rest[0] == "super" else here, rest[1:]
        elif rest[0] not in self.children:
            return None
        while rest:
            name = rest[0]
            if name in here.children:
                here, rest = here.children[name], rest[1:]
                continue
            if name in here.defined or (here, name) in seen:
                return here
            passed_on = [here.names[name]] if name in here.names else [[*glob, name] for glob in here.globs]
            homes = [home for to in passed_on if (home := here.home(to, (*seen, (here, name)))) is not None]
            homes = [home for home in homes if name in here.names or name in home.defined]
            # A name that is passed on from outside is nobody's here.
            return homes[0] if homes else here.macro(name) or (None if name in here.names else here)
        return here

    def macro(self, name):
        """The module of a macro, which all macros of a crate are at its top for."""
        if self is not self.root:
            return None
        return next((one for one in self.all() if name in one.defined), None)

    def all(self):
        return [self] + [one for child in self.children.values() for one in child.all()]

    def imports(self):
        """Pairs of files: which imports which."""
        for one in self.all():
            for path in one.paths:
                home = one.home(path)
                if home is not None and home.file != one.file:
                    yield one.file, home.file


def branches(tree):
    """The parts of a list of names, at the commas outside of inner braces."""
    parts, depth = [""], 0
    for c in tree:
        depth += (c == "{") - (c == "}")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [part for part in parts if part.strip()]


def code_of(file):
    return without_tests(without_text(file.read_text()))


def roots(crate):
    """The modules at the top of a crate: of its library, and of its program."""
    files = [crate.folder / "src" / name for name in ("lib.rs", "main.rs")]
    return [Module(file, code_of(file), None, file.parent) for file in files if file.exists()]
