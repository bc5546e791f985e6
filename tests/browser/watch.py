#!/usr/bin/env python3
"""Opens the page of a run in headless Chromium, steers the run, and says in JSON what it saw.

    watch.py ADDRESS FOLDER

The report says what was seen, not whether that is good:

    {"browser": ..., "console": [...], "requests": [...], "address": ...,
     "moves": n, "stays": n, "rate": images a second,
     "read": ..., "picture": bytes, "shown": [...],
     "lines": streamlines, "points": [keys of the curves, values of the first],
     "changes": [...], "refused": ..., "charts": [...],
     "widths": {"360": {"document_width": ..., "smallest_text": ...}, "1280": ...}}

`moves` counts pixels of the field that changed while the run went on, `stays` while it paused. Needs
what look.py needs. Screenshots go to FOLDER.
"""

import contextlib
import json
import pathlib
import sys
import tempfile
import time

from look import SMALLEST_TEXT, chromium, set_width, shoot
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

PIXELS = """
const canvas = document.getElementById('canvas'), copy = document.createElement('canvas');
Object.assign(copy, { width: canvas.width, height: canvas.height });
const context = copy.getContext('2d', { willReadFrequently: true });
context.drawImage(canvas, 0, 0);
return Array.from(context.getImageData(0, 0, copy.width, copy.height).data.filter((_, n) => n % 4 === 1));
"""

SLIDE = """
const [key, share] = arguments, input = document.querySelector(`input[data-key="${key}"]`);
input.value = Number(input.min) + share * (Number(input.max) - Number(input.min));
input.dispatchEvent(new Event('input'));
input.dispatchEvent(new Event('change'));
"""

REQUESTS = """
return performance.getEntriesByType('resource').map((entry) => entry.name)
  .filter((name) => !name.startsWith('data:') && !name.startsWith(location.origin));
"""


class Page:
    def __init__(self, browser):
        self.browser = browser

    def by(self, name):
        return self.browser.find_element(By.ID, name)

    def images(self):
        return self.browser.execute_script("return seen.images")

    def wait(self, holds):
        WebDriverWait(self.browser, 20, 0.05).until(lambda _: holds())

    def wait_for_images(self, count):
        wanted = self.images() + count
        self.wait(lambda: self.images() >= wanted)

    def changed(self, action):
        before = self.browser.execute_script(PIXELS)
        action()
        after = self.browser.execute_script(PIXELS)
        return sum(a != b for a, b in zip(before, after))

    def slide(self, key, share):
        self.browser.execute_script(SLIDE, key, share)

    def lines(self):
        return self.browser.execute_script(
            "return Array.from(document.querySelectorAll('#changes li'), (line) => line.textContent)"
        )

    def rate(self, seconds):
        begin, first = time.time(), self.images()
        time.sleep(seconds)
        return (self.images() - first) / (time.time() - begin)


def steer(page, browser, sliders):
    """What the page shows of a run that goes, pauses and is changed."""
    report = {"rate": page.rate(1.5), "moves": page.changed(lambda: page.wait_for_images(5))}
    canvas = page.by("canvas")
    ActionChains(browser).move_to_element_with_offset(canvas, 20, -30).perform()
    page.wait(lambda: " at " in browser.find_element(By.CLASS_NAME, "read").text)
    report["read"] = browser.find_element(By.CLASS_NAME, "read").text
    page.wait(lambda: browser.execute_script("return seen.lines") or 0)
    report["lines"] = browser.execute_script("return seen.lines")
    ActionChains(browser).move_to_element_with_offset(canvas, 20, -30).click().move_by_offset(-60, 40).click().perform()
    values = "return field.points.all.map((one) => one.values.speed?.length ?? 0)"
    page.wait(lambda: min(browser.execute_script(values) or [0]) > 3)
    page.wait_for_images(2)
    # In one go: they are made anew with each image.
    keys = "document.querySelectorAll('#charts figure:last-child .keys span')"
    texts = browser.execute_script(f"return Array.from({keys}, (key) => key.textContent)")
    report["points"] = [texts, browser.execute_script("return field.points.all[0].values.speed.at(-1)[1]")]
    for key in sliders:
        count = len(page.lines())
        page.slide(key, 0.3)
        page.wait(lambda count=count: len(page.lines()) > count)
    report["changes"] = page.lines()
    shown = Select(page.by("shown"))
    report["shown"] = [one.text for one in shown.options]
    shown.select_by_visible_text("vorticity")
    page.wait_for_images(3)
    page.by("go").click()
    page.wait(lambda: page.by("state").text == "paused")
    time.sleep(1.5)
    report["stays"] = page.changed(lambda: time.sleep(0.4))
    step = int(page.by("step").text)
    page.by("step-1").click()
    page.wait(lambda: int(page.by("step").text) == step + 1)
    shown.select_by_visible_text("speed")
    page.wait_for_images(1)
    page.by("go").click()
    page.wait(lambda: page.by("state").text == "going")
    report["charts"] = [head.text for head in browser.find_elements(By.CSS_SELECTOR, "figure h2")]
    # Without the download: a browser without a head would ask where to.
    browser.execute_script("HTMLAnchorElement.prototype.click = () => {}")
    page.by("save").click()
    report["picture"] = browser.execute_script("return seen.picture.startsWith('data:image/png') ? seen.picture.length : 0")
    report["refused"] = page.by("refused").text
    return report


def look(page, browser, width, folder):
    """The page at a width."""
    set_width(browser, width, 900)
    page.wait_for_images(2)
    shoot(browser, folder / f"watch-{width}.png", whole=True)
    return {
        "document_width": browser.execute_script("return document.documentElement.scrollWidth"),
        "smallest_text": browser.execute_script(SMALLEST_TEXT),
    }


@contextlib.contextmanager
def opened(address):
    """The page at an address, as wide as a desktop's, in a browser of its own."""
    with tempfile.TemporaryDirectory() as profile:
        browser = chromium(profile)
        try:
            set_width(browser, 1280, 900)
            browser.get(address)
            yield Page(browser)
        finally:
            browser.quit()


def main():
    address, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    with opened(address) as page:
        browser = page.browser
        page.wait(lambda: page.by("step").text not in ("", "–") and page.images() > 3)
        sliders = [one.get_attribute("data-key") for one in browser.find_elements(By.CSS_SELECTOR, "#sliders input")]
        report = {
            "browser": f"Chromium {browser.capabilities['browserVersion']}",
            "address": browser.execute_script("return location.href"),
            **steer(page, browser, sliders),
            "widths": {str(width): look(page, browser, width, folder) for width in (360, 1280)},
            "requests": browser.execute_script(REQUESTS),
            "console": [entry["message"] for entry in browser.get_log("browser")],
        }
        page.by("stop").click()
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
