#!/usr/bin/env python3
"""Looks at a page in headless Chromium and says in JSON what it saw.

    look.py PAGE.html FOLDER

Opens the file at 400 and at 1400 px width, sorts the first table by its first column of numbers with
the mouse and with the keyboard, prints the page as PDF, and reads it with scripts turned off.
Screenshots and the PDF go to FOLDER. The report says what was seen, not whether that is good:

    {"browser": ..., "console": [...], "requests": [...],
     "widths": {"400": {"document_width": ..., "smallest_text": ..., "pictures": [...], "tables": [...]},
                "1400": ...},
     "sorting": {"rows": n, "click": {"ascending": [...], "descending": [...], "aria": [...]}, "key": ...},
     "without_script": {"tables_read": ...}, "pdf": {"bytes": ...}}

Needs Chromium, its driver, and the package selenium.
"""

import base64
import json
import pathlib
import shutil
import sys
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
]

PICTURES = """
return Array.from(document.querySelectorAll('svg, img, svg image'), (picture) => {
  const box = picture.getBoundingClientRect();
  const loaded = picture.tagName !== 'IMG' || (picture.complete && picture.naturalWidth > 0);
  return {
    name: picture.tagName + ' ' + (picture.closest('figure')?.id ?? ''),
    visible: loaded && box.width > 0 && box.height > 0,
  };
});
"""

# Words of the drawings are scaled with them and do not count.
SMALLEST_TEXT = """
const texts = Array.from(document.body.querySelectorAll('*')).filter((element) =>
  !element.closest('svg, script') && element.checkVisibility() &&
  Array.from(element.childNodes).some((node) => node.nodeType === 3 && node.data.trim()));
return Math.min(...texts.map((element) => parseFloat(getComputedStyle(element).fontSize)));
"""

# Heads of columns that lie outside the box in which their table scrolls.
TABLES = """
return Array.from(document.querySelectorAll('.scroll'), (box) => {
  const right = box.getBoundingClientRect().left + box.clientWidth + 1;
  const heads = Array.from(box.querySelectorAll('thead th'));
  return {
    caption: box.getAttribute('aria-label'),
    hidden: heads.filter((head) => head.getBoundingClientRect().right > right)
      .map((head) => head.textContent.trim()),
  };
});
"""

REQUESTS = """
return performance.getEntriesByType('resource').map((entry) => entry.name)
  .filter((name) => !name.startsWith('data:'));
"""


def chromium(profile):
    """A browser that starts from nothing and leaves nothing."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or shutil.which("chrome") or ""
    for flag in [*FLAGS, f"--user-data-dir={profile}"]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = shutil.which("chromedriver")
    if not driver or not options.binary_location:
        sys.exit("chromium or chromedriver is missing: install the packages chromium and chromium-driver")
    return webdriver.Chrome(options=options, service=Service(executable_path=driver))


def set_width(browser, width, height):
    """A window cannot be as narrow as a phone, a device that is emulated can."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def shoot(browser, path, whole):
    """Saves what is seen, or the whole page."""
    options = {"format": "png", "captureBeyondViewport": whole}
    if whole:
        metrics = browser.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
        size = {"width": metrics["width"], "height": min(metrics["height"], 16000)}
        options["clip"] = {"x": 0, "y": 0, "scale": 1, **size}
    shot = browser.execute_cdp_cmd("Page.captureScreenshot", options)
    path.write_bytes(base64.b64decode(shot["data"]))


def look(browser, width, folder):
    """What is seen at a width."""
    set_width(browser, width, 900)
    shoot(browser, folder / f"page-{width}.png", whole=True)
    browser.execute_script("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    return {
        "document_width": browser.execute_script("return document.documentElement.scrollWidth"),
        "smallest_text": browser.execute_script(SMALLEST_TEXT),
        "pictures": browser.execute_script(PICTURES),
        "tables": browser.execute_script(TABLES),
    }


def column(table, place):
    """Numbers of a column as they are read; none where there is a word."""
    found = []
    for row in table.find_elements(By.CSS_SELECTOR, "tbody tr"):
        text = row.find_elements(By.CSS_SELECTOR, "th, td")[place].text
        try:
            found.append(float(text.strip("✓✗ %").replace("−", "-").replace(",", "")))
        except ValueError:
            found.append(None)
    return found


def sort(table, place, press):
    """The column after its head was pressed once, and twice."""
    head = table.find_elements(By.CSS_SELECTOR, "thead th")[place]
    report = {"aria": []}
    for direction in ["ascending", "descending"]:
        press(head.find_element(By.TAG_NAME, "button"))
        report[direction] = column(table, place)
        report["aria"].append(head.get_attribute("aria-sort"))
    return report


def sorting(browser):
    """The first two columns of numbers of the first table whose columns hold several, one sorted by mouse and one by
    keyboard. A study on coarse grids has words in place of its limits."""
    for table in browser.find_elements(By.TAG_NAME, "table"):
        heads = table.find_elements(By.CSS_SELECTOR, "thead th")
        places = [n for n, head in enumerate(heads) if "number" in head.get_attribute("class").split()]
        numbers = {n: sum(number is not None for number in column(table, n)) for n in places}
        places = [n for n in places if numbers[n] > 4]
        if len(places) > 1:
            break
    return {
        "rows": len(table.find_elements(By.CSS_SELECTOR, "tbody tr")),
        "click": sort(table, places[0], lambda button: button.click()),
        "key": sort(table, places[1], lambda button: button.send_keys(Keys.ENTER)),
    }


def printed(browser, folder):
    """The page as PDF."""
    pdf = browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True, "printBackground": True})
    content = base64.b64decode(pdf["data"])
    (folder / "page.pdf").write_bytes(content)
    return {"bytes": len(content)}


def without_script(browser, address):
    """Whether the tables can be read where nothing runs: words in the heads, no buttons."""
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    browser.get(address)
    heads = browser.find_elements(By.CSS_SELECTOR, "thead th")
    buttons = browser.find_elements(By.CSS_SELECTOR, "thead button")
    return {"tables_read": bool(heads) and not buttons and all(head.text for head in heads)}


def main():
    page, folder = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    with tempfile.TemporaryDirectory() as profile:
        browser = chromium(profile)
        try:
            set_width(browser, 1400, 900)
            browser.get(page.as_uri())
            report = {
                "browser": f"Chromium {browser.capabilities['browserVersion']}",
                "widths": {str(width): look(browser, width, folder) for width in (400, 1400)},
                "requests": browser.execute_script(REQUESTS),
                "sorting": sorting(browser),
                "pdf": printed(browser, folder),
                "console": [entry["message"] for entry in browser.get_log("browser")],
                "without_script": without_script(browser, page.as_uri()),
            }
        finally:
            browser.quit()
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
