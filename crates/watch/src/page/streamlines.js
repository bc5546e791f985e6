// Streamlines through samples of the velocity in a layer, each as long as no other is near: from seeds in rows, both ways.
const LANES = 36, STEPS = 600;

class Streamlines {
  // Samples right fastest, from the lower left corner, of a box `wide` times `high` m; not numbers in solids.
  constructor([nx, ny], numbers, [wide, high]) {
    Object.assign(this, { nx, ny, wide, high, u: numbers.subarray(0, nx * ny), v: numbers.subarray(nx * ny) });
    this.most = 0;
    for (let n = 0; n < nx * ny; n++) this.most = Math.max(this.most, Math.hypot(this.u[n] || 0, this.v[n] || 0));
    this.lines = this.most > 0 ? this.all() : [];
  }

  // The velocity at shares of the box, as its direction in shares; none in a solid or where nothing moves.
  direction([x, y]) {
    if (x < 0 || y < 0 || x > 1 || y > 1) return null;
    const at = (share, n) => Math.min(n - 1, Math.max(0, share * n - 0.5));
    const a = at(x, this.nx), b = at(y, this.ny), i = Math.min(Math.floor(a), this.nx - 2 < 0 ? 0 : this.nx - 2), j = Math.min(Math.floor(b), this.ny - 2 < 0 ? 0 : this.ny - 2);
    const right = Math.min(i + 1, this.nx - 1), up = Math.min(j + 1, this.ny - 1), s = a - i, t = b - j;
    const mix = (of) => (1 - t) * ((1 - s) * of[i + j * this.nx] + s * of[right + j * this.nx]) + t * ((1 - s) * of[i + up * this.nx] + s * of[right + up * this.nx]);
    const u = mix(this.u), v = mix(this.v), size = Math.hypot(u, v);
    if (!(size > 1e-4 * this.most)) return null;
    return [u / size / this.wide, v / size / this.high];
  }

  all() {
    const [wide, high] = [this.wide, this.high], lane = Math.max(wide, high) / LANES;
    const columns = Math.max(1, Math.round(wide / lane)), rows = Math.max(1, Math.round(high / lane));
    const taken = new Uint32Array(columns * rows), lines = [], length = lane / 3;
    const cell = ([x, y]) => Math.min(columns - 1, Math.floor(x * columns)) + Math.min(rows - 1, Math.floor(y * rows)) * columns;
    const follow = (start, sign, mark) => {
      const points = [];
      let here = start;
      for (let n = 0; n < STEPS; n++) {
        // The rule of the middle.
        const one = this.direction(here);
        if (!one) break;
        const middle = this.direction([0, 1].map((d) => here[d] + 0.5 * sign * length * one[d]));
        if (!middle) break;
        here = [0, 1].map((d) => here[d] + sign * length * middle[d]);
        if (here.some((x) => x < 0 || x > 1)) break;
        const at = cell(here);
        if (taken[at] && taken[at] !== mark) break;
        // Round an eddy a line comes back to where it was.
        if (n > 12 && Math.hypot((here[0] - start[0]) * wide, (here[1] - start[1]) * high) < 0.6 * length) { points.push(start); break; }
        taken[at] = mark;
        points.push(here);
      }
      return points;
    };
    for (let n = 0; n < columns * rows; n++) {
      // Every other lane in both directions.
      const i = n % columns, j = Math.floor(n / columns);
      if (i % 2 || j % 2 || taken[n]) continue;
      const start = [(i + 0.5) / columns, (j + 0.5) / rows], mark = n + 1;
      taken[n] = mark;
      const line = [...follow(start, -1, mark).reverse(), start, ...follow(start, 1, mark)];
      if (line.length > 8) lines.push(line);
    }
    return lines;
  }

  draw(context, width, height) {
    const dots = Math.max(1, width / 700);
    context.lineWidth = 1.1 * dots;
    context.strokeStyle = context.fillStyle = 'rgba(255, 255, 255, 0.75)';
    const to = ([x, y]) => [x * width, (1 - y) * height];
    for (const line of this.lines) {
      context.beginPath();
      for (const point of line) context.lineTo(...to(point));
      context.stroke();
      // An arrow in its middle.
      const n = Math.floor(line.length / 2), [a, b] = [to(line[n - 1]), to(line[n])], turn = Math.atan2(b[1] - a[1], b[0] - a[0]);
      context.beginPath();
      for (const angle of [0, 2.6, -2.6]) context.lineTo(b[0] + 4.5 * dots * Math.cos(turn + angle), b[1] + 4.5 * dots * Math.sin(turn + angle));
      context.fill();
    }
  }
}
