// A chart of a few curves and points, drawn anew when its numbers change.
const SVG = 'http://www.w3.org/2000/svg';
const element = (name, attributes = {}, text) => {
  const one = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
  if (text !== undefined) one.textContent = text;
  return one;
};

const WIDE = 400, HIGH = 240, LEFT = 62, RIGHT = 12, TOP = 8, BOTTOM = 40;

// Some ticks between two ends.
const ticks = (low, high, log) => {
  if (log) {
    const from = Math.ceil(low - 1e-9), to = Math.floor(high + 1e-9), every = Math.max(1, Math.ceil((to - from) / 4));
    const all = [];
    for (let n = from; n <= to; n += every) all.push(n);
    return all.length > 1 ? all : [low, high];
  }
  const rough = (high - low) / 4, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((d) => d * power).find((s) => s >= rough * 0.999);
  const all = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; n++) all.push(n * step);
  return all;
};

const ends = (numbers) => {
  let low = Infinity, high = -Infinity;
  for (const x of numbers) if (Number.isFinite(x)) { low = Math.min(low, x); high = Math.max(high, x); }
  if (low > high) return [0, 1];
  const air = high > low ? 0.04 * (high - low) : Math.abs(high) * 0.1 || 0.5;
  return [low - air, high + air];
};

class Chart {
  constructor(title, x, log = false, box = 'charts') {
    Object.assign(this, { x, log });
    this.figure = document.createElement('figure');
    const head = document.createElement('h2');
    head.textContent = title;
    this.svg = element('svg', { viewBox: `0 0 ${WIDE} ${HIGH}`, role: 'img', 'aria-label': title });
    this.keys = document.createElement('div');
    this.keys.className = 'keys';
    this.figure.append(head, this.svg, this.keys);
    document.getElementById(box).append(this.figure);
  }

  rename(title, x) {
    if (this.title === title && this.x === x) return;
    Object.assign(this, { title, x });
    this.figure.firstChild.textContent = title;
    this.svg.setAttribute('aria-label', title);
  }

  // Curves: name, points, and whether these are published ones. On an axis of powers numbers that have no logarithm are left out.
  draw(curves) {
    const up = (y) => (this.log ? Math.log10(y) : y);
    const all = curves.map((one) => ({ ...one, points: one.points.map(([x, y]) => [x, up(y)]).filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y)) }));
    const flat = all.flatMap((one) => one.points);
    const [left, right] = ends(flat.map(([x]) => x)), [low, high] = ends(flat.map(([, y]) => y));
    const px = (x) => LEFT + (x - left) / (right - left) * (WIDE - LEFT - RIGHT);
    const py = (y) => HIGH - BOTTOM - (y - low) / (high - low) * (HIGH - BOTTOM - TOP);
    const drawn = [];
    for (const y of ticks(low, high, this.log)) {
      drawn.push(element('line', { class: 'grid', x1: LEFT, x2: WIDE - RIGHT, y1: py(y), y2: py(y) }));
      drawn.push(element('text', { x: LEFT - 6, y: py(y) + 4, 'text-anchor': 'end' }, words(this.log ? 10 ** y : y, this.log ? 1 : 3)));
    }
    for (const x of ticks(left, right, false)) {
      drawn.push(element('line', { class: 'grid', y1: TOP, y2: HIGH - BOTTOM, x1: px(x), x2: px(x) }));
      drawn.push(element('text', { x: px(x), y: HIGH - BOTTOM + 15, 'text-anchor': 'middle' }, words(x)));
    }
    drawn.push(element('text', { x: WIDE - RIGHT, y: HIGH - 8, 'text-anchor': 'end' }, this.x));
    for (const [n, one] of all.entries()) {
      if (one.published) {
        for (const [x, y] of one.points) drawn.push(element('circle', { class: `point c${n % 3}`, cx: px(x), cy: py(y), r: 3 }));
      } else if (one.points.length) {
        const path = one.points.map(([x, y]) => `${px(x).toFixed(1)},${py(y).toFixed(1)}`).join(' ');
        drawn.push(element('polyline', { class: `curve c${n % 3}`, points: path }));
      }
    }
    this.svg.replaceChildren(...drawn);
    this.keys.replaceChildren(...all.map((one, n) => {
      const key = document.createElement('span'), mark = document.createElement('i');
      mark.className = `c${n % 3}${one.published ? ' dot' : ''}`;
      key.append(mark, one.name);
      return key;
    }));
  }
}
