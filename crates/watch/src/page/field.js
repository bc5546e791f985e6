// A field: bytes in colours, a legend, the value under the cursor, a picture to keep.
const by = (id) => document.getElementById(id);
const make = (name, properties = {}, ...inside) => {
  const one = Object.assign(document.createElement(name), properties);
  one.append(...inside);
  return one;
};
const HINT = 'point at the field to read a value, click to follow it';

class Field {
  // Into a box; `number` asks for the value of a pixel. What follows points of it is called by a `name`.
  constructor(box, id, number, name = '') {
    Object.assign(this, { number, image: null, at: null, lines: null, points: new Points(name), source: document.createElement('canvas') });
    this.canvas = make('canvas', { id, width: 2, height: 2, tabIndex: 0, className: 'pixels' });
    this.canvas.setAttribute('aria-label', 'Colours of the field');
    this.bar = make('canvas', { width: 256, height: 1, className: 'colours' });
    [this.low, this.high] = [make('span'), make('span')];
    this.words = make('p', { className: 'read', textContent: HINT });
    const legend = make('div', { className: 'legend' }, this.low, this.bar, this.high);
    box.append(make('div', { className: 'picture' }, this.canvas), legend, this.words);
    this.canvas.addEventListener('pointermove', (event) => { this.at = [event.clientX, event.clientY]; this.read(); });
    this.canvas.addEventListener('click', (event) => { this.at = [event.clientX, event.clientY]; this.follow(); });
    this.canvas.addEventListener('pointerleave', () => { this.at = null; this.words.textContent = HINT; });
  }

  // The layer of cells in the proportions of the box; very long ones are drawn higher than they are.
  resize(axes) {
    const directions = [[1, 2], [0, 2], [0, 1]][this.image.normal];
    this.axes = directions.map((d) => axes[d]);
    this.letters = directions.map((d) => 'xyz'[d]);
    const [right, up] = this.axes.map((axis) => axis.high - axis.low), ratio = Math.min(8, Math.max(0.4, right / up));
    const room = this.canvas.parentElement.clientWidth, most = Math.max(240, window.innerHeight * 0.72);
    const width = Math.max(2, Math.floor(Math.min(room, most * ratio))), height = Math.max(2, Math.round(width / ratio));
    const dots = Math.min(2, window.devicePixelRatio || 1), size = [width, height].map((n) => Math.round(n * dots));
    if (this.canvas.width !== size[0] || this.canvas.height !== size[1]) {
      [this.canvas.width, this.canvas.height] = size;
      Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
    }
  }

  draw(axes, shown, image, bytes) {
    const [width, height] = image.size, table = PALETTES[shown.two_sided ? 'two' : 'one'];
    Object.assign(this, { image, shown });
    if (this.source.width !== width || this.source.height !== height) Object.assign(this.source, { width, height });
    const context = this.source.getContext('2d'), pixels = context.createImageData(width, height);
    const colours = new Uint32Array(pixels.data.buffer);
    for (let n = 0; n < bytes.length; n++) colours[n] = table[bytes[n]];
    context.putImageData(pixels, 0, 0);
    this.resize(axes);
    const to = this.canvas.getContext('2d');
    to.imageSmoothingEnabled = width > this.canvas.width / 4;
    to.drawImage(this.source, 0, 0, this.canvas.width, this.canvas.height);
    this.lines?.draw(to, this.canvas.width, this.canvas.height);
    this.points.draw(to, this.canvas.width, this.canvas.height, image.size);
    this.legend(table);
    this.read();
  }

  // The samples of velocity that its streamlines go through; none takes them away.
  stream(sampled, bytes) {
    const sides = (this.axes ?? []).map((axis) => axis.high - axis.low);
    this.lines = bytes && sides.length ? new Streamlines(sampled.size, new Float32Array(bytes.slice().buffer), sides) : null;
  }

  // Marks the point under the cursor, or no longer.
  follow() {
    if (!this.image) return;
    const pixel = this.pixel(), near = Math.ceil(8 * this.image.size[0] / this.canvas.getBoundingClientRect().width);
    this.points.click({ ...pixel, near });
    this.changed?.();
  }

  // Keeps and shows what came of the points with an image.
  keep(time, x, values) {
    this.points.keep(this.shown, time, values);
    this.points.show(this.shown, x, this.letters);
  }

  legend(table) {
    const bar = this.bar.getContext('2d'), line = bar.createImageData(256, 1), colours = new Uint32Array(line.data.buffer);
    for (let n = 0; n < 256; n++) colours[n] = table[Math.round(n / 255 * SHADES)];
    bar.putImageData(line, 0, 0);
    const [low, high] = this.image.colours, [least, most] = this.image.range;
    this.low.textContent = words(low);
    this.high.textContent = `${words(high)} ${this.shown.unit}`.trim();
    this.bar.title = `from ${words(least)} to ${words(most)} ${this.shown.unit}`;
  }

  // The pixel under the cursor, from the lower left corner, and its place in m.
  pixel() {
    const box = this.canvas.getBoundingClientRect(), [width, height] = this.image.size, [x, y] = this.at;
    const share = [(x - box.left) / box.width, 1 - (y - box.top) / box.height].map((s) => Math.min(1 - 1e-9, Math.max(0, s)));
    const metres = share.map((s, n) => this.axes[n].low + s * (this.axes[n].high - this.axes[n].low));
    return { i: Math.floor(share[0] * width), j: Math.floor(share[1] * height), metres };
  }

  // The number there, anew with each image; one question at a time.
  async read() {
    if (!this.at || !this.image || this.isAsking) return;
    this.isAsking = true;
    try {
      const { i, j, metres } = this.pixel(), { name, unit } = this.shown, number = await this.number(i, j);
      const place = metres.map((x, n) => `${this.letters[n]} = ${words(x)} m`).join(', ');
      if (this.at) this.words.textContent = `${name} ${number === null ? 'of a solid: none' : `${words(number, 4)} ${unit}`} at ${place}`;
    } catch { /* the next image will tell */ }
    this.isAsking = false;
  }

  // The field with a title and its legend as a file.
  save(title, moment, file) {
    const pad = 24, foot = 84, wide = Math.max(this.canvas.width, 640) + 2 * pad;
    const picture = make('canvas', { width: wide, height: this.canvas.height + pad + foot + 40 }), to = picture.getContext('2d');
    to.fillStyle = '#fff';
    to.fillRect(0, 0, picture.width, picture.height);
    to.fillStyle = '#1f2933';
    to.font = '20px system-ui, sans-serif';
    to.fillText(title, pad, 34, wide - 2 * pad);
    to.drawImage(this.canvas, pad, 52);
    const top = 52 + this.canvas.height + 16, { name, unit } = this.shown;
    to.drawImage(this.bar, pad, top, wide - 2 * pad, 16);
    to.font = '16px system-ui, sans-serif';
    to.fillText(words(this.image.colours[0]), pad, top + 38);
    to.textAlign = 'center';
    to.fillText(`${name}${unit ? ` in ${unit}` : ''}, ${moment}`, wide / 2, top + 38);
    to.textAlign = 'right';
    to.fillText(words(this.image.colours[1]), wide - pad, top + 38);
    const link = make('a', { download: `${file}.png`, href: picture.toDataURL('image/png') });
    link.click();
    return link.href;
  }
}

// What both pages ask a server for.
const token = new URLSearchParams(location.search).get('token') ?? '';
// It belongs neither into the history nor into a picture of the screen.
history.replaceState(null, '', '/');
const headers = { Authorization: `Bearer ${token}` };
const ask = (path, options = {}) => fetch(path, { ...options, headers, cache: 'no-store' });
const asJson = async (path, options) => (await ask(path, options)).json();
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// The words and the bytes of an image; words of a refusal have no bytes.
const parts = async (answer) => {
  if (answer.headers.get('Content-Type') === 'application/json') return [await answer.json(), null];
  const all = await answer.arrayBuffer(), length = new DataView(all).getUint32(0, true);
  return [JSON.parse(new TextDecoder().decode(new Uint8Array(all, 4, length))), new Uint8Array(all, 4 + length)];
};
