// Points of a field that are followed: a click marks one, and its value is drawn over time, of each image that is shown.
const MOST_POINTS = 3, MOST_VALUES = 4000;

class Points {
  constructor(name) {
    Object.assign(this, { name, all: [], chart: null });
  }

  // What a question for an image has to say of them.
  get query() {
    return this.all.length ? `&points=${this.all.map(({ i, j }) => `${i}.${j}`).join(',')}` : '';
  }

  forget() {
    this.all = [];
    this.show('', '');
  }

  // Marks a pixel, or takes the mark away that is near.
  click({ i, j, metres, near }) {
    const known = this.all.findIndex((one) => Math.abs(one.i - i) <= near && Math.abs(one.j - j) <= near);
    if (known >= 0) this.all.splice(known, 1);
    else this.all = [...this.all.slice(1 - MOST_POINTS), { i, j, metres, values: {} }];
  }

  // The values that came with an image, at a time of the flow or a number of iterations.
  keep(shown, time, values) {
    for (const [n, one] of this.all.entries()) {
      const value = values?.[n], kept = (one.values[shown.name] ??= []), from = kept.findIndex(([t]) => t >= time);
      if (value === null || value === undefined) continue;
      // A run that is played again goes over its times again.
      if (from >= 0) kept.splice(from, kept[from][0] === time ? 1 : 0, [time, value]);
      else kept.push([time, value]);
      if (kept.length > MOST_VALUES) one.values[shown.name] = kept.filter((_, m) => m % 2 === 0);
    }
  }

  show(shown, x, letters) {
    if (!this.chart && !this.all.length) return;
    this.chart ??= new Chart('', x);
    this.chart.rename(`${shown.name ?? ''} at points${this.name}`, x);
    this.chart.figure.hidden = !this.all.length;
    const place = (metres) => metres.map((one, n) => `${letters[n]} = ${words(one)}`).join(', ');
    this.chart.draw(this.all.map(({ metres, values }, n) => ({ name: `${n + 1}: ${place(metres)} m`, points: values[shown.name] ?? [] })));
  }

  draw(context, width, height, [columns, rows]) {
    const size = Math.max(1, width / 700);
    context.font = `${Math.round(15 * size)}px system-ui, sans-serif`;
    for (const [n, { i, j }] of this.all.entries()) {
      const x = (i + 0.5) / columns * width, y = (1 - (j + 0.5) / rows) * height;
      context.beginPath();
      context.arc(x, y, 6 * size, 0, 2 * Math.PI);
      for (const [style, line] of [['#000', 4], ['#fff', 2]]) {
        Object.assign(context, { strokeStyle: style, lineWidth: line * size });
        context.stroke();
      }
      Object.assign(context, { strokeStyle: '#000', fillStyle: '#fff', lineWidth: 3 * size });
      context.strokeText(String(n + 1), x + 9 * size, y - 6 * size);
      context.fillText(String(n + 1), x + 9 * size, y - 6 * size);
    }
  }
}
