// The field: bytes in colours, a legend, the value under the cursor, a picture to keep.
const by = (id) => document.getElementById(id);
const field = {
  canvas: by('canvas'), source: document.createElement('canvas'), image: null, at: null,

  // The layer of cells in the proportions of the box; very long ones are drawn higher than they are.
  resize(about, image) {
    const [right, up] = [[1, 2], [0, 2], [0, 1]][image.normal].map((d) => about.axes[d]);
    const ratio = Math.min(8, Math.max(1 / 2.5, (right.high - right.low) / (up.high - up.low)));
    const room = this.canvas.parentElement.clientWidth, most = Math.max(240, window.innerHeight * 0.72);
    const width = Math.max(2, Math.round(Math.min(room, most * ratio))), height = Math.max(2, Math.round(width / ratio));
    const dots = Math.min(2, window.devicePixelRatio || 1);
    if (this.canvas.width !== Math.round(width * dots) || this.canvas.height !== Math.round(height * dots)) {
      this.canvas.width = Math.round(width * dots);
      this.canvas.height = Math.round(height * dots);
      this.canvas.style.width = `${width}px`;
      this.canvas.style.height = `${height}px`;
    }
    this.axes = [right, up];
    this.letters = [['y', 'z'], ['x', 'z'], ['x', 'y']][image.normal];
  },

  draw(about, shown, image, bytes) {
    const [width, height] = image.size, table = PALETTES[shown.two_sided ? 'two' : 'one'];
    if (this.source.width !== width || this.source.height !== height) Object.assign(this.source, { width, height });
    const context = this.source.getContext('2d'), pixels = context.createImageData(width, height);
    const colours = new Uint32Array(pixels.data.buffer);
    for (let n = 0; n < bytes.length; n++) colours[n] = table[bytes[n]];
    context.putImageData(pixels, 0, 0);
    this.image = image;
    this.resize(about, image);
    const to = this.canvas.getContext('2d');
    to.imageSmoothingEnabled = width > this.canvas.width / 4;
    to.drawImage(this.source, 0, 0, this.canvas.width, this.canvas.height);
    this.legend(shown, table);
  },

  legend(shown, table) {
    const [low, high] = this.image.colours, bar = by('colours').getContext('2d'), line = bar.createImageData(256, 1);
    const colours = new Uint32Array(line.data.buffer);
    for (let n = 0; n < 256; n++) colours[n] = table[Math.round(n / 255 * SHADES)];
    bar.putImageData(line, 0, 0);
    by('low').textContent = words(low);
    by('high').textContent = `${words(high)} ${shown.unit}`.trim();
    const [least, most] = this.image.range;
    by('colours').title = `from ${words(least)} to ${words(most)} ${shown.unit}`;
  },

  // The pixel under a place on the canvas, from the lower left corner, and its place in m.
  pixel(x, y) {
    const box = this.canvas.getBoundingClientRect(), [width, height] = this.image.size;
    const share = [(x - box.left) / box.width, 1 - (y - box.top) / box.height].map((s) => Math.min(1 - 1e-9, Math.max(0, s)));
    const metres = share.map((s, n) => this.axes[n].low + s * (this.axes[n].high - this.axes[n].low));
    return { i: Math.floor(share[0] * width), j: Math.floor(share[1] * height), metres };
  },

  // The field with its title and legend as a file.
  save(title, shown, step, time) {
    const picture = document.createElement('canvas'), pad = 24, foot = 84;
    picture.width = Math.max(this.canvas.width, 640) + 2 * pad;
    picture.height = this.canvas.height + pad + foot + 40;
    const to = picture.getContext('2d');
    to.fillStyle = '#fff';
    to.fillRect(0, 0, picture.width, picture.height);
    to.fillStyle = '#1f2933';
    to.font = '20px system-ui, sans-serif';
    to.fillText(title, pad, 34, picture.width - 2 * pad);
    to.drawImage(this.canvas, pad, 52);
    const top = 52 + this.canvas.height + 16;
    to.drawImage(by('colours'), pad, top, picture.width - 2 * pad, 16);
    to.font = '16px system-ui, sans-serif';
    const [low, high] = this.image.colours;
    to.fillText(words(low), pad, top + 38);
    to.textAlign = 'center';
    to.fillText(`${shown.name}${shown.unit ? ` in ${shown.unit}` : ''}, step ${step}, t = ${words(time)} s`, picture.width / 2, top + 38);
    to.textAlign = 'right';
    to.fillText(words(high), picture.width - pad, top + 38);
    const link = document.createElement('a');
    link.download = `${shown.name}-${step}.png`;
    link.href = picture.toDataURL('image/png');
    link.click();
    return link.href;
  },
};
