"""The site: the pages of the book in the order of SUMMARY.md, and all that they lead to."""

import html
import json
import re
import shutil
from os.path import relpath
from pathlib import Path

import gallery
from equations import Equations
from frame import framed, style
from markdown import Markdown
from source import listing, shown

PARTS = Path(__file__).resolve().parent
PICTURES = {".png", ".svg", ".webp", ".jpg", ".mp4"}


class Site:
    """What is written, and what is wrong with it."""

    def __init__(self, top, folder):
        self.top, self.folder, self.book = top, folder, top / "docs" / "src"
        self.written, self.complaints, self.index = {}, [], []
        self.contents = contents((self.book / "SUMMARY.md").read_text())
        self.equations = Equations(top, self.book / "theory")
        self.markdown = Markdown(self)
        self.waiting = []

    def write(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        pages = [self.book / page for _, entries in self.contents for _, page in entries]
        for page in pages:
            self.lead_to(page)
        # Pages lead to others, sources and listings among them.
        while self.waiting:
            self.write_one(self.waiting.pop(0), pages)
        index = json.dumps(self.index, ensure_ascii=False, separators=(",", ":"))
        self.put("search-index.js", f"window.searchIndex={index};\n")
        self.put("page.js", (PARTS / "page.js").read_text())
        self.put("style.css", (PARTS / "style.css").read_text() + style())

    def put(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def address(self, path):
        """Where a file of the repository stands on the site."""
        if path.suffix in PICTURES:
            return f"pictures/{path.relative_to(self.top).as_posix().replace('/', '-')}"
        if path.is_relative_to(self.book) and path.suffix == ".md":
            name = path.relative_to(self.book).with_suffix(".html").as_posix()
            return "index.html" if name == "README.html" else name
        name = path.relative_to(self.top).as_posix()
        if path.is_dir():
            return f"source/{name}/index.html"
        return f"source/{name}.html"

    def lead_to(self, path):
        """The address of a file that a page leads to; it is written too."""
        address = self.address(path)
        if address not in self.written:
            self.written[address] = path
            if path.suffix in PICTURES:
                (self.folder / address).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, self.folder / address)
            else:
                self.waiting.append(path)
        return address

    def link(self, page, target):
        """A link of a page as one of the site; links that lead out stay."""
        if "://" in target or target.startswith("mailto:"):
            return target
        path, _, anchor = target.partition("#")
        if not path:
            return target
        file = (page.parent / path).resolve()
        if not file.exists() or not file.is_relative_to(self.top):
            self.complaints.append(f"{page.relative_to(self.top)}: {target} leads nowhere")
            return target
        return self.relative(page, file) + (f"#{anchor}" if anchor else "")

    def relative(self, page, file):
        return relpath(self.lead_to(file), Path(self.address(page)).parent)

    def write_one(self, path, pages):
        address = self.address(path)
        in_book = path in pages
        if path.is_dir():
            title, body, heads = path.relative_to(self.top).as_posix(), listing(self, path), []
        elif path.suffix == ".md":
            text = path.read_text()
            if "<!-- gallery -->" in text:
                text = text.replace("<!-- gallery -->", gallery.cards(self, path))
            title, body, heads = self.markdown.page(path, text)
            if in_book:
                self.add_to_index(title, address, body)
        else:
            title, body, heads = path.relative_to(self.top).as_posix(), shown(self, path), []
        place = pages.index(path) if in_book else None
        beside = [pages[n] if place is not None and 0 <= n < len(pages) else None for n in ((place or 0) - 1, (place or 0) + 1)]
        self.put(address, framed(self, path, title, body, heads, beside))

    def add_to_index(self, title, address, body):
        """Sections of a page for the search: title, address, heading, words."""
        pieces = re.split(r'<h[23] id="([^"]*)"[^>]*>(.*?)</h[23]>', body, flags=re.S)
        sections = [("", "", pieces[0]), *zip(pieces[1::3], pieces[2::3], pieces[3::3])]
        for anchor, head, text in sections:
            words = plain(text)
            if words or head:
                where = address + (f"#{anchor}" if anchor else "")
                self.index.append([title, where, plain(head).rstrip("#").strip(), words])


def plain(markup):
    """The words of a piece of HTML, without those of formulas."""
    markup = re.sub(r"<math.*?</math>|<details class=\"cited\".*?</details>", " ", markup, flags=re.S)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", markup)).split())


def contents(summary):
    """Parts of the book, each with titles and paths of its pages."""
    parts = [("", [])]
    for line in summary.splitlines():
        entry = re.match(r"\s*(?:- )?\[(.*)\]\((.*)\)", line)
        if entry:
            parts[-1][1].append(entry.groups())
        elif line.startswith("# ") and line != "# Summary":
            parts.append((line[2:], []))
    return [part for part in parts if part[1]]
