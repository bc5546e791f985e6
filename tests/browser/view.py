#!/usr/bin/env python3
"""Opens the page of finished runs in headless Chromium, and says in JSON what it saw.

    view.py ADDRESS FOLDER

    {"console": [...], "requests": [...], "fields": n, "about": ..., "changes": [...], "lines": streamlines,
     "played": images, "values": those of the followed point, "widths": {"360": document_width, "1280": ...}}

Screenshots go to FOLDER.
"""

import json
import pathlib
import sys

from look import set_width, shoot
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from watch import REQUESTS, opened


def look(page, browser):
    """What the page shows of two runs while they are played."""
    report = {
        "fields": len(browser.find_elements(By.CSS_SELECTOR, "canvas.pixels")),
        "about": page.by("about").text,
        "changes": [one.text for one in browser.find_elements(By.CSS_SELECTOR, ".run li")],
        "lines": browser.execute_script("return seen.lines"),
    }
    canvas = page.by("canvas-0")
    ActionChains(browser).move_to_element_with_offset(canvas, 15, 20).click().perform()
    before = page.images()
    page.by("play").click()
    page.wait(lambda: page.by("play").text == "pause")
    page.wait(lambda: page.by("play").text == "play")
    report["played"] = page.images() - before
    report["values"] = browser.execute_script("return fields[0].field.points.all[0].values.speed")
    return report


def main():
    address, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    with opened(address) as page:
        browser = page.browser
        page.wait(lambda: page.images() > 0)
        report = look(page, browser)
        report["widths"] = {}
        for width in (360, 1280):
            set_width(browser, width, 900)
            page.wait_for_images(1)
            shoot(browser, folder / f"view-{width}.png", whole=True)
            script = "return document.documentElement.scrollWidth"
            report["widths"][str(width)] = browser.execute_script(script)
        report["requests"] = browser.execute_script(REQUESTS)
        report["console"] = [entry["message"] for entry in browser.get_log("browser")]
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
