"""Numbered equations: where they stand, which sources cite them, and how they are set."""

import html
import re
from collections import defaultdict
from xml.etree import ElementTree

from latex2mathml.converter import convert

NUMBER = re.compile(r"\(([A-Z]\d{1,2}[a-z]?)\)")
TAG = re.compile(r"\\tag\{([A-Z]\d{1,2}[a-z]?)\}")
MATHML = "http://www.w3.org/1998/Math/MathML"
SOURCES = {".rs", ".cu", ".cuh"}
FUNCTIONS = {"sin", "cos", "cosh", "exp"}
# Files that are shown for one equation; there are verbs that every method cites.
MOST = 8


class Equations:
    def __init__(self, top, theory):
        self.page, self.cited = {}, defaultdict(list)
        for page in sorted(theory.glob("*.md")):
            for block in re.findall(r"^```.*?^```", page.read_text(), flags=re.S | re.M):
                for line in block.splitlines():
                    number = NUMBER.findall(line)[-1:] if re.search(r"\([A-Z]\d+[a-z]?\)\s*$", line) else TAG.findall(line)
                    for one in number:
                        self.page[one] = page
        files = (path for folder in ("crates", "kernels") for path in sorted((top / folder).rglob("*")))
        for path in files:
            is_source = path.suffix in SOURCES and "target" not in path.parts and "tests" not in path.parts
            if is_source and not any(one.is_symlink() for one in [path, *path.parents]):
                comments = "\n".join(line.partition("//")[2] for line in path.read_text().splitlines())
                for number in sorted(set(NUMBER.findall(comments))):
                    self.cited[number].append(path)

    def linked(self, markup, to):
        """Numbers in a text as links to the equations; `to` gives the address of a page."""
        link = lambda found: f'<a class="eq" href="{to(self.page[found[1]])}#{found[1]}">({found[1]})</a>'
        return NUMBER.sub(lambda found: link(found) if found[1] in self.page else found[0], markup)

    def cites(self, numbers, to):
        """The sources that an equation stands in."""
        files = []
        for path in (path for number in numbers for path in self.cited[number]):
            files.append(path) if path not in files else None
        if not files:
            return ""
        links = ", ".join(f'<a href="{to(path)}">{short(path)}</a>' for path in files[:MOST])
        more = f" and {len(files) - MOST} more" if len(files) > MOST else ""
        return f'<details class="cited"><summary>in the code</summary>{links}{more}</details>'

    def formula(self, text, to):
        """A block of LaTeX as MathML, with its number."""
        tags = TAG.findall(text)
        # The converter knows this kind of table by another name.
        latex = TAG.sub("", text).replace("{aligned}", "{align*}")
        math = mended(convert(" ".join(latex.split()), display="block"))
        place = f' id="{tags[0]}"' if tags else ""
        anchors = "".join(f'<a class="number" href="#{tag}">({tag})</a>' for tag in tags)
        return f'<div class="equation"{place}><div class="scroll" tabindex="0">{math}</div>{anchors}</div>{self.cites(tags, to)}'

    def typed(self, text, to):
        """A block of formulas as they were typed, with anchors at their numbers."""
        numbers = []

        def numbered(line):
            found = re.search(r"\(([A-Z]\d{1,2}[a-z]?)\)\s*$", line)
            if not found or found[1] not in self.page:
                return html.escape(line)
            numbers.append(found[1])
            anchor = f'<a class="number" id="{found[1]}" href="#{found[1]}">({found[1]})</a>'
            return html.escape(line[: found.start()]) + anchor

        lines = "\n".join(numbered(line) for line in text.rstrip().splitlines())
        return f'<pre tabindex="0"><code>{lines}</code></pre>{self.cites(numbers, to)}'


def mended(math):
    """Sums, products, largest and smallest with their indices below, which the converter sets aside within brackets, and
    functions with a space before them.
    """
    ElementTree.register_namespace("", MATHML)
    tree = ElementTree.fromstring(math)
    for one in tree.iter(f"{{{MATHML}}}msub"):
        if one[0].text in ("∑", "∏", "max", "min"):
            one.tag = f"{{{MATHML}}}munder"
            one[0].set("movablelimits", "true")
    for one in tree.iter(f"{{{MATHML}}}mi"):
        if one.text in FUNCTIONS:
            one.tag, one.attrib = f"{{{MATHML}}}mo", {"lspace": "0.17em", "rspace": "0"}
    for one in tree.iter(f"{{{MATHML}}}mo"):
        if one.text == "|":
            one.attrib |= {"lspace": "0.08em", "rspace": "0.08em"}
    return ElementTree.tostring(tree, encoding="unicode")


def short(path):
    parts = path.parts
    place = max(n for n, part in enumerate(parts) if part in ("crates", "kernels"))
    return "/".join(parts[place:])
