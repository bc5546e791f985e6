#!/usr/bin/env python3
"""Opens every page of a site in headless Chromium, and says in JSON what it saw.

    site.py SITE FOLDER

    {"browser": ..., "pages": n, "links": n,
     "console": [...], "requests": [those that lead out of the site],
     "wide": [pages that are wider than the window], "broken": [links without a page or a place there],
     "search": {"word": ..., "found": [...]}, "equation": [number, height of its formula],
     "dark": [colours of the paper, light and dark], "menu": whether it opens on a phone}

Pages of sources are looked at as a phone has them alone: what could be wider than a desktop there is a line of code, which scrolls.
Screenshots of some pages go to FOLDER. Needs what look.py needs.
"""

import json
import pathlib
import sys
import tempfile
from urllib.parse import unquote, urldefrag, urljoin

from look import chromium, set_width, shoot
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

WIDTHS = (360, 800, 1600)

# Of all pages at once: an answer costs as much as a page.
SEEN = """
return {
  links: Array.from(new Set(Array.from(document.querySelectorAll('a[href]'), (link) => link.getAttribute('href')))),
  places: Array.from(document.querySelectorAll('[id]'), (one) => one.id),
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


def broken(seen):
    """Links that lead to no page, or to no place on it."""
    complaints, count = [], 0
    for page, what in seen.items():
        for link in what["links"]:
            count += 1
            address, place = urldefrag(urljoin(page, link))
            if not address.startswith("file:"):
                continue
            if address not in seen:
                if not pathlib.Path(unquote(address.removeprefix("file://"))).is_file() or place:
                    complaints.append(f"{page}: {link}")
            elif place and unquote(place) not in seen[address]["places"]:
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


def main():
    site, folder = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    pages = sorted(site.rglob("*.html"))
    seen, wide = {}, []
    with tempfile.TemporaryDirectory() as profile:
        browser = chromium(profile)
        browser.set_page_load_timeout(60)
        try:
            for path in pages:
                address = path.as_uri()
                is_source = path.is_relative_to(site / "source")
                browser.get(address)
                seen[address] = browser.execute_script(SEEN)
                found = widths(browser, WIDTHS[:1] if is_source else WIDTHS)
                wide += [f"{path.relative_to(site)}: {one} px at {width}" for width, one in found.items()]
                if str(path.relative_to(site).with_suffix("")) in PRINTED:
                    for width in (360, 1600):
                        set_width(browser, width, 900)
                        shoot(browser, folder / f"{path.stem}-{width}.png", whole=False)
            complaints, links = broken(seen)
            outside = [f"{page}: {name}" for page, what in seen.items() for name in what["requests"] if not name.startswith((site.as_uri(), "data:"))]
            browser.get((site / "theory" / "fdm.html").as_uri())
            formula = browser.execute_script("return document.getElementById('F1').querySelector('math').getBoundingClientRect().height")
            browser.get((site / "index.html").as_uri())
            light = paper(browser)
            browser.find_element(By.ID, "theme").click()
            report = {
                "browser": f"Chromium {browser.capabilities['browserVersion']}",
                "pages": len(pages),
                "links": links,
                "requests": outside,
                "wide": wide,
                "broken": complaints + [f"no picture: {one}" for what in seen.values() for one in what["pictures"]],
                "dark": [light, paper(browser)],
                "equation": ["F1", formula],
                "search": search(browser, "multigrid"),
            }
            shoot(browser, folder / "search-1600.png", whole=False)
            set_width(browser, 360, 800)
            browser.find_element(By.CSS_SELECTOR, "label.menu").click()
            report["menu"] = browser.find_element(By.CSS_SELECTOR, "nav.book").is_displayed()
            shoot(browser, folder / "menu-360.png", whole=False)
            report["console"] = [entry["message"] for entry in browser.get_log("browser")]
        finally:
            browser.quit()
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
