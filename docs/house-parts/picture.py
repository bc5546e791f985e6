"""The picture of the crates."""

import re
import textwrap
from html import escape

from plan import BETWEEN_ROWS, MARGIN, WIDTH, Plan, is_channel

LINE, TITLE, PADDING, BAND, LETTER = 16, 18, 10, 24, 6.7  # heights, and the width of a letter in a wide font

# Light fills under dark letters, and grey arrows: they are read on a white page and on a black one.
FILLS = ["#cfe0f2", "#d8ead2", "#f7e7c0", "#f3d6c8", "#e4d7ee", "#f2d3de"]
INK, SOFT, ARROW = "#1c2530", "#4b5866", "#828d99"


def wrapped(text, width):
    return textwrap.wrap(text, max(12, int((width - 2 * PADDING) / LETTER)), break_on_hyphens=False)


class Box:
    """A crate in the picture: its name, what it is, and in a band the libraries that it hides."""

    def __init__(self, crate, sides):
        self.crate, (self.left, self.right) = crate, sides
        # What stands in brackets is left out.
        self.about = wrapped(re.sub(r"\s*\([^)]*\)", "", crate.about), self.right - self.left)
        self.height = TITLE + LINE * len(self.about) + 2 * PADDING + (BAND if crate.hides else 0)

    def drawn(self, top, height, fill):
        x, width = (self.left + self.right) / 2, self.right - self.left
        dashes = ' stroke-dasharray="5 4"' if self.crate.is_for_tests else ""
        outline = f'x="{self.left:.0f}" y="{top}" width="{width:.0f}" height="{height}" rx="7"'
        yield f'<rect {outline} fill="{fill}"/>'
        band = BAND if self.crate.hides else 0
        if band:
            y = top + height - band
            yield (
                f'<path d="M{self.left:.0f} {y} h{width:.0f} v{band - 7} a7 7 0 0 1 -7 7 h{14 - width:.0f} '
                f'a7 7 0 0 1 -7 -7 z" fill="{INK}" fill-opacity="0.1"/>'
            )
            libraries = escape(" \u00b7 ".join(self.crate.hides))
            yield f'<text x="{x:.0f}" y="{y + 16}" fill="{INK}">{libraries}</text>'
        yield f'<rect {outline} fill="none" stroke="{SOFT}" stroke-opacity="0.6"{dashes}/>'
        y = top + PADDING + 13
        yield f'<text x="{x:.0f}" y="{y}" font-size="15" font-weight="bold" fill="{INK}">{escape(self.crate.name)}</text>'
        for n, line in enumerate(self.about):
            yield f'<text x="{x:.0f}" y="{y + TITLE + LINE * n}" fill="{SOFT}">{escape(line)}</text>'


def curve(x, y, to_x, to_y):
    """From a box or channel down to another; the last pixels are straight, for the arrow's head."""
    if round(x) == round(to_x):
        return f"L{to_x:.0f} {to_y}"
    end = to_y - 10
    middle = (y + end) // 2
    return f"C{x:.0f} {middle} {to_x:.0f} {middle} {to_x:.0f} {end} L{to_x:.0f} {to_y}"


def svg(crates):
    plan = Plan(crates)
    boxes = {name: Box(crate, plan.sides[name]) for name, crate in crates.items()}
    heights = [max(boxes[one].height for one in row if not is_channel(one)) for row in plan.rows]
    tops, y = [0] * len(plan.rows), MARGIN
    for n in reversed(range(len(plan.rows))):
        tops[n] = y
        y += heights[n] + BETWEEN_ROWS
    height = y - BETWEEN_ROWS + MARGIN

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        'font-family="Helvetica, Arial, sans-serif" font-size="12" text-anchor="middle">',
        "<title>The crates of Vortice: each stands above all that it uses</title>",
        "<!-- docs/house picture makes this file from the manifests. -->",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        f'<path d="M0 0.5 L8 4 L0 7.5 Z" fill="{ARROW}"/></marker></defs>',
        f'<g fill="none" stroke="{ARROW}" stroke-width="1.5">',
    ]
    ports = plan.ports()
    for chain in plan.chains:
        path = ""
        for joint in zip(chain, chain[1:]):
            (x, to_x), (above, below) = ports[joint], map(plan.row_of, joint)
            y = tops[above] + heights[above]
            path += f"{'L' if path else 'M'}{x:.0f} {y} {curve(x, y, to_x, tops[below])} "
        out.append(f'<path d="{path.strip()}" marker-end="url(#tip)"/>')
    out.append("</g>")
    for name, box in boxes.items():
        n = plan.level[name]
        out += box.drawn(tops[n], heights[n], FILLS[n % len(FILLS)])
    return "\n".join([*out, "</svg>", ""])
