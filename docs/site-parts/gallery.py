"""A card for each built-in case: picture, command, and how far off each method is."""

import html
import re
import tomllib
from math import prod

METHODS = ("fdm", "fvm", "lbm")


def cards(site, page):
    checks = tomllib.loads((site.top / "cases/validation/checks.toml").read_text())
    cases = sorted((site.top / "cases").glob("*.toml"))
    found = "".join(card(site, page, path, checks["check"]) for path in cases)
    return f'<p class="when">Errors of the best and the worst reference, and seconds of the run (of all grids, where it was judged by several), as measured on {html.escape(checks["measured-on"])}.</p>\n<div class="cards">{found}</div>'


def card(site, page, path, checks):
    name, case = path.stem, tomllib.loads(path.read_text())
    title = titled(case)
    picture = site.book / "pictures" / "gallery" / f"{name}.webp"
    image = f'<img src="{site.relative(page, picture)}" alt="{html.escape(title)}" loading="lazy">' if picture.exists() else ""
    rows = (row(method, name, case, checks) for method in METHODS)
    table = "".join(one for one in rows if one)
    head = "<thead><tr><th>by</th><th>cells</th><th>off by</th><th>in</th></tr></thead>"
    table = f'<table class="errors">{head}<tbody>{table}</tbody></table>' if table else ""
    link = site.relative(page, path)
    return (
        f'<article class="card" id="{name}"><a href="{link}">{image}<h2>{name}</h2></a><p>{html.escape(title)}</p>'
        f'<pre tabindex="0"><code>vortice run {name}</code></pre>{table}</article>'
    )


def titled(case):
    """The title, with the Reynolds number that the case itself leaves to its numbers."""
    scale, fluid = case.get("scale", {}), case["fluid"]
    if "{reynolds}" in case["title"]:
        viscosity = fluid["viscosity"]
        number = scale.get("velocity", 1.0) * scale.get("length", 1.0) / viscosity
        return case["title"].replace("{reynolds}", f"{number:.4g}")
    return case["title"]


def row(method, name, case, checks):
    """The finest check of a method: cells, and the smallest and largest error of a reference there."""
    ours = [check for check in checks if check["case"] == name and method in check["methods"]]
    best = max(ours, key=lambda check: prod(cells(check, case)), default=None)
    if best is None:
        return ""
    judged = [one for one in best["judge"] if "measured" in one]
    # Single values of a reference stand for it where it is not judged as a whole.
    judged = [one for one in judged if "what" not in one] or judged
    if not judged:
        return ""
    errors = sorted(one["measured"] for one in judged)
    words = " × ".join(str(n) for n in cells(best, case) if n > 1)
    told = percent(errors[-1]) if len(errors) == 1 else f"{percent(errors[0])} to {percent(errors[-1])}"
    by = html.escape(", ".join(one["reference"] for one in judged))
    return f'<tr title="{by}"><td>{method}</td><td>{words}</td><td>{told}</td><td>{duration(best, method)}</td></tr>'


def cells(check, case):
    if "grids" in check:
        return check["grids"][-1] if isinstance(check["grids"][-1], list) else [check["grids"][-1]]
    for change in check.get("set", []):
        found = re.match(r"grid\.cells=\[([\d, ]+)\]", change)
        if found:
            return [int(n) for n in found[1].split(",")]
    return case["grid"]["cells"]


def duration(check, method):
    """How long the runs of a check took, all grids together."""
    seconds = check.get("seconds", {}).get(method)
    return "" if seconds is None else f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"


def percent(share):
    return f"{100 * share:.2g} %" if share >= 1e-4 else f"{100 * share:.1e} %".replace("e-0", "e-")
