"use strict";
// Sorts a table by the column whose head is pressed: first ascending, then descending.

// What a cell is sorted by. Cells without a number come last in both directions.
const keyOf = (cell) => {
  const key = cell.getAttribute("data-key");
  return key === null ? null : Number(key);
};
const textOf = (cell) => cell.textContent.trim();
const words = new Intl.Collator("en", { numeric: true });

function compare(a, b, numeric, sense) {
  if (!numeric) return sense * words.compare(textOf(a), textOf(b));
  const [x, y] = [keyOf(a), keyOf(b)];
  if (x === null || y === null) return (x === null) - (y === null);
  return sense * (x - y);
}

function sort(table, head) {
  const column = head.cellIndex;
  const ascending = head.getAttribute("aria-sort") !== "ascending";
  const numeric = head.classList.contains("number");
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  rows.sort((a, b) => compare(a.cells[column], b.cells[column], numeric, ascending ? 1 : -1));
  body.append(...rows);
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
}

// Without a script the heads are plain words; with it they are buttons, which keys press too.
for (const table of document.querySelectorAll("table.sortable")) {
  for (const head of table.tHead.rows[0].cells) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(table, head));
  }
}
