// Helpers for loops. Time runs from 0 to 1; the motion added to the cover is zero at both ends.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const cover = (folder) => readFileSync(join(folder, '0.svg'), 'utf8');

export const swap = (svg, from, to) => {
  if (!svg.includes(from)) throw new Error(`The cover no longer has: ${from}`);
  return svg.replace(from, () => to);
};
export const between = (svg, from, to) => {
  const start = svg.indexOf(from);
  const end = svg.indexOf(to, start);
  if (start < 0 || end < 0) throw new Error(`The cover no longer has: ${from} … ${to}`);
  return svg.slice(start, end);
};

export const wave = (t, cycles, phase = 0) =>
  Math.sin(2 * Math.PI * (cycles * t + phase)) - Math.sin(2 * Math.PI * phase);
// From 0 to 1 and back, whole cycles.
export const beat = (t, cycles) => (1 - Math.cos(2 * Math.PI * cycles * t)) / 2;
export const ramp = (t, from, to) => {
  const x = Math.min(1, Math.max(0, (t - from) / (to - from)));
  return x * x * (3 - 2 * x);
};
export const hold = (t, from, full, until, gone) => ramp(t, from, full) - ramp(t, until, gone);
export const mod = (x, period) => ((x % period) + period) % period;
export const random = (a, b) => mod(Math.sin(a * 12.9898 + b * 78.233) * 43758.5453, 1);
export const fix = (x) => Number(x.toFixed(2));
