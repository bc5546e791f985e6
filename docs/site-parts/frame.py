"""What all pages have around them: heading, search, contents, the pages before and after."""

import html
import re
from os.path import relpath
from pathlib import Path

from pygments.formatters import HtmlFormatter

POLICY = "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self'; img-src 'self' data:; media-src 'self'"


def style():
    """Colours of code, in light and in dark."""
    light, dark = (HtmlFormatter(style=name).get_style_defs("code") for name in ("friendly", "github-dark"))
    rules = lambda sheet, root: "\n".join(f"{root} {rule}" for rule in sheet.splitlines() if rule.startswith("code ."))
    by_system = f'@media (prefers-color-scheme: dark) {{\n{rules(dark, ":root:not([data-theme=light])")}\n}}'
    return "\n".join([rules(light, ":root"), by_system, rules(dark, ":root[data-theme=dark]"), ""])


def framed(site, path, title, body, heads, beside):
    address = site.address(path)
    root = relpath(".", Path(address).parent)
    to = lambda file: relpath(site.lead_to(file), Path(address).parent)
    kind = "landing" if address == "index.html" else "source" if address.startswith("source/") and path.suffix != ".md" else "page"
    # What stands beside the text needs its place only where there is something.
    kind += "" if inside(heads) else " alone"
    name = "Vortice" if address == "index.html" else f"{title} · Vortice"
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<title>{html.escape(name)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{root}/style.css">
<script src="{root}/page.js" defer></script>
</head>
<body class="{kind}" data-root="{root}">
<a class="skip" href="#content">to the text</a>
<input type="checkbox" id="menu" aria-label="contents of the book">
<header>
<label for="menu" class="menu" aria-hidden="true">☰</label>
<a class="home" href="{to(site.book / 'README.md')}">Vortice</a>
<div class="search" role="search" hidden><input type="search" id="search" placeholder="Search" aria-label="Search the site" autocomplete="off"><ol id="found" hidden></ol></div>
<button id="theme" type="button" hidden aria-label="light or dark">◐</button>
</header>
<nav class="book" aria-label="Contents of the book">{book(site, path, to)}</nav>
<main id="content">{body}{around(site, beside, to)}</main>
{inside(heads)}
</body>
</html>
"""


def book(site, path, to):
    """The contents of the book, with the present page marked."""
    parts = []
    for part, entries in site.contents:
        items = []
        for words, file in entries:
            here = ' aria-current="page"' if site.book / file == path else ""
            items.append(f'<li><a href="{to(site.book / file)}"{here}>{html.escape(words)}</a></li>')
        is_here = any(site.book / file == path for _, file in entries)
        items = f'<ul>{"".join(items)}</ul>'
        # Decisions are many, and few look for them.
        if part in ("Decisions", "Notebooks"):
            items = f'<details{" open" if is_here else ""}><summary>{part}</summary>{items}</details>'
        elif part:
            items = f"<h2>{html.escape(part)}</h2>{items}"
        parts.append(items)
    return "".join(parts)


def around(site, beside, to):
    """Links to the pages before and after."""
    names = {site.book / file: words for _, entries in site.contents for words, file in entries}
    before, after = beside
    links = f'<a rel="prev" href="{to(before)}">← {html.escape(names[before])}</a>' if before else "<span></span>"
    links += f'<a rel="next" href="{to(after)}">{html.escape(names[after])} →</a>' if after else ""
    return f'<nav class="around" aria-label="pages before and after">{links}</nav>' if before or after else ""


def inside(heads):
    """The headings of the page, where there are several."""
    if len(heads) < 3:
        return ""
    items = "".join(f'<li class="h{level}"><a href="#{anchor}">{html.escape(re.sub(r"[`*]", "", words))}</a></li>' for level, anchor, words in heads)
    return f'<nav class="inside" aria-label="On this page"><h2>On this page</h2><ul>{items}</ul></nav>'
