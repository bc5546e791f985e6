"""Pages in Markdown as HTML."""

import html
import re

from markdown_it import MarkdownIt
from mdit_py_plugins.anchors import anchors_plugin
from source import coloured


def slug(heading):
    """What a heading is called in a link: lower case, words joined by hyphens."""
    kept = "".join(c for c in heading.strip().lower() if c.isalnum() or c in " -_")
    return kept.replace(" ", "-")


class Markdown:
    def __init__(self, site):
        self.site = site
        self.parser = MarkdownIt("commonmark", {"html": True}).enable("table")
        self.parser.use(anchors_plugin, min_level=1, max_level=4, slug_func=slug)
        self.parser.renderer.rules |= {
            "fence": self.fence,
            "text": self.text,
            "code_inline": self.code,
            "link_open": self.link,
            "image": self.image,
            "table_open": lambda *_: '<div class="scroll" tabindex="0"><table>',
            "table_close": lambda *_: "</table></div>",
        }

    def page(self, path, text):
        """Title, body and headings (level, anchor, words) of a page."""
        self.path, self.inside_link = path, False
        tokens = self.parser.parse(text)
        heads = []
        for n, token in enumerate(tokens):
            if token.type == "heading_open":
                heads.append((int(token.tag[1]), token.attrGet("id"), tokens[n + 1].content))
        body = self.parser.renderer.render(tokens, self.parser.options, {})
        title = next((re.sub(r"[`*]", "", words) for level, _, words in heads if level == 1), path.stem)
        return title, body, [head for head in heads if head[0] in (2, 3)]

    def to(self, file):
        return self.site.relative(self.path, file)

    def fence(self, tokens, n, options, env):
        language, text = tokens[n].info.split(",")[0].strip(), tokens[n].content
        if language == "math":
            return self.site.equations.formula(text, self.to)
        if language in ("", "text"):
            return self.site.equations.typed(text, self.to)
        copy = '<button class="copy" type="button" hidden>copy</button>'
        return f'<div class="code">{copy}<pre tabindex="0"><code>{coloured(text, language)}</code></pre></div>'

    def text(self, tokens, n, options, env):
        words = html.escape(tokens[n].content, quote=False)
        within = any(token.type == "link_open" for token in tokens[:n]) and not closed(tokens[:n])
        return words if within else self.site.equations.linked(words, self.to)

    def code(self, tokens, n, options, env):
        """The name of a file of the repository leads to it."""
        words = tokens[n].content
        code = f"<code>{html.escape(words)}</code>"
        file = self.site.top / words
        is_ours = re.fullmatch(r"(crates|kernels|cases|tests|benches|docs|packaging)(/[\w.-]+)+", words)
        if is_ours and file.is_file() and closed(tokens[:n]) and file.suffix not in (".png", ".svg"):
            return f'<a href="{self.to(file)}">{code}</a>'
        return code

    def link(self, tokens, n, options, env):
        return f'<a href="{html.escape(self.site.link(self.path, tokens[n].attrGet("href")))}">'

    def image(self, tokens, n, options, env):
        source = self.site.link(self.path, tokens[n].attrGet("src"))
        return f'<a class="picture" href="{source}"><img src="{source}" alt="{html.escape(tokens[n].content)}"></a>'


def closed(tokens):
    """Whether no link is open after these tokens."""
    opened = sum(token.type == "link_open" for token in tokens)
    return opened == sum(token.type == "link_close" for token in tokens)
