"""Sources of the repository as pages, and listings of folders."""

import html
import re

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

LANGUAGES = {".rs": "rust", ".toml": "toml", ".py": "python", ".cu": "cuda", ".cuh": "cuda", ".sh": "sh", ".js": "js", ".css": "css", ".json": "json"}
FORMAT = HtmlFormatter(nowrap=True)


def coloured(text, language):
    """A text with the words of a language in colours; as it is, of a language that is not known."""
    try:
        return highlight(text, get_lexer_by_name(language, stripnl=False), FORMAT)
    except ClassNotFound:
        return html.escape(text)


def shown(site, path):
    """A source with its lines numbered; the equations that it cites are links."""
    text = path.read_text(errors="replace")
    first = text.splitlines()[0] if text else ""
    language = LANGUAGES.get(path.suffix) or ("python" if "python" in first else "sh" if "sh" in first[:24] else "text")
    lines = coloured(text, language).rstrip("\n").split("\n")
    to = lambda file: site.relative(path, file)
    numbered = "\n".join(f'<a class="line" id="L{n}" href="#L{n}">{n}</a>{line}' for n, line in enumerate(lines, 1))
    if path.suffix in (".rs", ".cu", ".cuh"):
        numbered = re.sub(r'<span class="(?:c|sd)[^"]*">.*?</span>', lambda comment: site.equations.linked(comment[0], to), numbered, flags=re.S)
    name = path.relative_to(site.top).as_posix()
    return f'<h1 class="path">{html.escape(name)}</h1><pre class="source" tabindex="0"><code>{numbered}</code></pre>'


def listing(site, folder):
    """The files of a folder."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    items = "".join(f'<li><a href="{site.relative(folder / "index.html", path)}">{path.name}</a></li>' for path in files if path.suffix not in (".png", ".stl"))
    return f'<h1 class="path">{folder.relative_to(site.top).as_posix()}</h1><ul class="files">{items}</ul>'
