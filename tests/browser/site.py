#!/usr/bin/env python3
"""Opens every page of a site in headless Chromium, and says in JSON what it saw.

    site.py SITE FOLDER

    {"browser": ..., "pages": n, "opened": n, "links": n,
     "console": [...], "requests": [those that lead out of the site],
     "wide": [pages that are wider than the window], "broken": [links without a page or a place there],
     "search": {"word": ..., "found": [...]}, "equation": [number, height of its formula],
     "dark": [colours of the paper, light and dark], "menu": whether it opens on a phone}

Links are those of all pages. Pages of sources are made alike: the browser opens one of so many (all with VORTICE_LONG_SUITE), and at the
width of a phone alone: what could be wider than a desktop there is a line of code, which scrolls.
Screenshots of some pages go to FOLDER. Needs what look.py needs.
"""

import contextlib
import json
import os
import pathlib
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from urllib.parse import unquote, urldefrag, urljoin

from look import chromium, set_width, shoot
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

WIDTHS = (360, 800, 1600)
# At a time, for the pages.
BROWSERS = 3
# Pages of sources of which the browser opens one.
OF_SOURCES = 1 if os.environ.get("VORTICE_LONG_SUITE") else 7

# Of all pages at once: an answer costs as much as a page.
SEEN = """
return {
  pictures: Array.from(document.images).filter((one) => one.complete && !one.naturalWidth).map((one) => one.src),
  requests: performance.getEntriesByType('resource').map((entry) => entry.name),
  width: document.documentElement.scrollWidth,
};
"""

PRINTED = ("index", "gallery", "theory/fdm", "command-line", "how-to/own-geometry", "notebooks/1-first-flow", "validation")


def widths(browser, wanted):
    found = {}
    for width in wanted:
        set_width(browser, width, 900)
        found[width] = browser.execute_script("return document.documentElement.scrollWidth")
    return {width: seen for width, seen in found.items() if seen > width}


class Links(HTMLParser):
    """Links of a page, and the places on it that links lead to."""

    def __init__(self, text):
        super().__init__()
        self.links, self.places = set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "a" and "href" in attributes:
            self.links.add(attributes["href"])
        if "id" in attributes:
            self.places.add(attributes["id"])


def broken(pages):
    """Links that lead to no page, or to no place on it."""
    read = {path.as_uri(): Links(path.read_text()) for path in pages}
    complaints, count = [], 0
    for page, found in read.items():
        for link in found.links:
            count += 1
            address, place = urldefrag(urljoin(page, link))
            if not address.startswith("file:"):
                continue
            if address not in read:
                if not pathlib.Path(unquote(address.removeprefix("file://"))).is_file() or place:
                    complaints.append(f"{page}: {link}")
            elif place and unquote(place) not in read[address].places:
                complaints.append(f"{page}: {link}")
    return complaints, count


def search(browser, word):
    box = browser.find_element(By.ID, "search")
    box.send_keys(word)
    items = lambda: browser.find_elements(By.CSS_SELECTOR, "#found a")
    WebDriverWait(browser, 10, 0.05).until(lambda _: items())
    return {"word": word, "found": [[one.get_attribute("href"), one.text] for one in items()]}


def paper(browser):
    return browser.execute_script("return getComputedStyle(document.body).backgroundColor")


@contextlib.contextmanager
def opened():
    with tempfile.TemporaryDirectory() as profile:
        browser = chromium(profile)
        browser.set_page_load_timeout(60)
        try:
            yield browser
        finally:
            browser.quit()


def complaints(browser):
    return [entry["message"] for entry in browser.get_log("browser")]


def look(site, folder, pages):
    """What is seen on some pages, which of them are too wide, and what the browser complains of."""
    seen, wide = {}, []
    with opened() as browser:
        for path in pages:
            browser.get(path.as_uri())
            seen[path.as_uri()] = browser.execute_script(SEEN)
            found = widths(browser, WIDTHS[:1] if path.is_relative_to(site / "source") else WIDTHS)
            wide += [f"{path.relative_to(site)}: {one} px at {width}" for width, one in found.items()]
            if str(path.relative_to(site).with_suffix("")) in PRINTED:
                for width in (360, 1600):
                    set_width(browser, width, 900)
                    shoot(browser, folder / f"{path.stem}-{width}.png", whole=False)
        return seen, wide, complaints(browser)


def use(site, folder):
    """What a page does when it is used."""
    with opened() as browser:
        set_width(browser, 1600, 900)
        browser.get((site / "theory" / "fdm.html").as_uri())
        height = "return document.getElementById('F1').querySelector('math').getBoundingClientRect().height"
        report = {"browser": f"Chromium {browser.capabilities['browserVersion']}", "equation": ["F1", browser.execute_script(height)]}
        browser.get((site / "index.html").as_uri())
        light = paper(browser)
        browser.find_element(By.ID, "theme").click()
        report["dark"] = [light, paper(browser)]
        report["search"] = search(browser, "multigrid")
        shoot(browser, folder / "search-1600.png", whole=False)
        set_width(browser, 360, 800)
        browser.find_element(By.CSS_SELECTOR, "label.menu").click()
        report["menu"] = browser.find_element(By.CSS_SELECTOR, "nav.book").is_displayed()
        shoot(browser, folder / "menu-360.png", whole=False)
        return {**report, "console": complaints(browser)}


def main():
    site, folder = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    pages = sorted(site.rglob("*.html"))
    is_source = lambda path: path.is_relative_to(site / "source") and not path.name.endswith(".md.html")
    sources = [path for path in pages if is_source(path)][::OF_SOURCES]
    chosen = [path for path in pages if not is_source(path)] + sources
    # A browser waits more than it computes.
    with ThreadPoolExecutor() as pool:
        shares = [chosen[n::BROWSERS] for n in range(min(BROWSERS, len(chosen)))]
        parts = [pool.submit(look, site, folder, share) for share in shares]
        report = pool.submit(use, site, folder).result() if (site / "search-index.js").exists() else {"console": []}
        parts = [part.result() for part in parts]
    seen = {page: what for part, _, _ in parts for page, what in part.items()}
    outside = [f"{page}: {name}" for page, what in seen.items() for name in what["requests"] if not name.startswith((site.as_uri(), "data:"))]
    dead, links = broken(pages)
    report |= {
        "pages": len(pages),
        "opened": len(chosen),
        "links": links,
        "requests": outside,
        "wide": [one for _, wide, _ in parts for one in wide],
        "broken": dead + [f"no picture: {one}" for what in seen.values() for one in what["pictures"]],
        "console": [one for _, _, console in parts for one in console] + report["console"],
    }
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
