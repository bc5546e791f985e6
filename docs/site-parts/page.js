"use strict";
// What a page does beside being read: search, light or dark, copying of commands. It is whole without.

const root = document.body.dataset.root;
const by = (id) => document.getElementById(id);

// Light or dark: as the system has it until the button says otherwise.
const theme = by("theme");
const kept = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
const wear = (name) => { if (name) document.documentElement.dataset.theme = name; };
wear(kept());
theme.hidden = false;
theme.addEventListener("click", () => {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
  const next = now === "dark" ? "light" : "dark";
  wear(next);
  try { localStorage.setItem("theme", next); } catch { /* a page of a file may keep nothing */ }
});

for (const button of document.querySelectorAll("button.copy")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.nextElementSibling.textContent);
    button.textContent = "copied";
    setTimeout(() => { button.textContent = "copy"; }, 1200);
  });
}

// The index is one script beside the pages, which is asked for when a word is looked for.
const input = by("search"), list = by("found");
let loading = null;
const index = () => loading ??= new Promise((done, failed) => {
  const script = document.createElement("script");
  script.src = `${root}/search-index.js`;
  script.addEventListener("load", () => done(window.searchIndex));
  script.addEventListener("error", failed);
  document.head.append(script);
});

function score([title, , head, text], words) {
  let sum = 0;
  const [t, h, body] = [title, head, text].map((one) => one.toLowerCase());
  for (const word of words) {
    const times = Math.min(body.split(word).length - 1, 5);
    const here = (t.includes(word) ? 6 : 0) + (h.includes(word) ? 10 : 0) + times;
    if (here === 0) return 0;
    sum += here;
  }
  return sum;
}

function around(text, word) {
  const at = Math.max(text.toLowerCase().indexOf(word), 0);
  const from = Math.max(at - 50, 0);
  return (from > 0 ? "…" : "") + text.slice(from, at + 90) + (at + 90 < text.length ? "…" : "");
}

function item([title, address, head, text], words) {
  const link = document.createElement("a");
  link.href = `${root}/${address}`;
  const name = document.createElement("strong"), piece = document.createElement("span");
  name.textContent = head && head !== title ? `${title}: ${head}` : title;
  piece.textContent = around(text, words[0]);
  link.append(name, piece);
  const one = document.createElement("li");
  one.append(link);
  return one;
}

async function search() {
  const words = input.value.toLowerCase().split(/\s+/).filter((word) => word.length > 1);
  list.hidden = words.length === 0;
  if (words.length === 0) return;
  const all = (await index()).map((entry) => [score(entry, words), entry]).filter(([points]) => points > 0);
  all.sort(([a], [b]) => b - a);
  const best = all.slice(0, 12).map(([, entry]) => item(entry, words));
  if (best.length === 0) {
    const none = document.createElement("li");
    none.textContent = "nothing";
    best.push(none);
  }
  list.replaceChildren(...best);
}

input.parentElement.hidden = false;
input.addEventListener("input", search);
document.addEventListener("keydown", (event) => {
  const typing = ["INPUT", "TEXTAREA"].includes(document.activeElement.tagName);
  if (event.key === "/" && !typing) { event.preventDefault(); input.focus(); }
  if (event.key === "Escape") { list.hidden = true; input.blur(); }
});
document.addEventListener("click", (event) => { if (!input.parentElement.contains(event.target)) list.hidden = true; });
