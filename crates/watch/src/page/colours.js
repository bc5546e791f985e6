'use strict';
// Colours between a few knots: viridis for magnitudes, blue through white to red for what has two signs.
const VIRIDIS = [[68, 1, 84], [72, 40, 120], [62, 73, 137], [49, 104, 142], [38, 130, 142], [31, 158, 137], [53, 183, 121], [110, 206, 88], [181, 222, 43], [253, 231, 37]];
const TWO_SIDED = [[33, 102, 172], [67, 147, 195], [146, 197, 222], [209, 229, 240], [247, 247, 247], [253, 219, 199], [244, 165, 130], [214, 96, 77], [178, 24, 43]];
const SHADES = 253;

const between = (knots, share) => {
  const place = share * (knots.length - 1), low = Math.min(Math.floor(place), knots.length - 2);
  return knots[low].map((c, n) => Math.round(c + (place - low) * (knots[low + 1][n] - c)));
};

// A table of 256 colours as numbers of four bytes; the last two are for what is no number, and for solids.
const palette = (knots) => {
  const table = new Uint32Array(256), bytes = new Uint8Array(table.buffer);
  for (let n = 0; n < 256; n++) {
    const colour = n <= SHADES ? between(knots, n / SHADES) : n === 254 ? [255, 0, 255] : [150, 150, 150];
    bytes.set([...colour, 255], 4 * n);
  }
  return table;
};
const PALETTES = { one: palette(VIRIDIS), two: palette(TWO_SIDED) };

// A number in few digits, as people write it.
const SUPER = { '-': '⁻', 0: '⁰', 1: '¹', 2: '²', 3: '³', 4: '⁴', 5: '⁵', 6: '⁶', 7: '⁷', 8: '⁸', 9: '⁹' };
const words = (x, digits = 3) => {
  if (x === null || x === undefined || !Number.isFinite(x)) return '–';
  const size = Math.abs(x);
  if (x === 0) return '0';
  if (size >= 1e5 || size < 1e-3) {
    const [factor, power] = x.toExponential(digits - 1).split('e');
    return `${factor.replace('-', '−')}·10${[...String(Number(power))].map((c) => SUPER[c]).join('')}`;
  }
  return String(Number(x.toPrecision(digits + 1))).replace('-', '−');
};
