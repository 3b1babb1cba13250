import type { Unit } from '../panel.js';

/** A line of a panel, as Prometheus answered it. */
export interface Series {
  readonly name: string;
  /** Seconds since 1970, and what it was then. */
  readonly points: readonly (readonly [atS: number, value: number])[];
}

/** A panel with its numbers. */
export interface DrawnPanel {
  readonly title: string;
  readonly unit: Unit;
  readonly series: readonly Series[];
  readonly stacked: boolean;
}

const WIDTH = 480;
const HEIGHT = 260;
const PLOT = { left: 58, right: 12, top: 34, bottom: 66 } as const;
const COLOURS = [
  '#2f7ed8',
  '#f28f43',
  '#2aa876',
  '#c0504d',
  '#8064a2',
  '#17a2b8',
  '#b8860b',
  '#607d8b',
  '#e0559a',
  '#6b8e23',
  '#795548',
  '#3f51b5',
];
const MOST_NAMES = 6;
const GRID_LINES = 4;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const short = (value: number): string => {
  const [divisor, sign] = value >= 1e9 ? [1e9, 'G'] : value >= 1e6 ? [1e6, 'M'] : value >= 1e3 ? [1e3, 'k'] : [1, ''];
  return `${Number((value / divisor).toPrecision(3))}${sign}`;
};

const seconds = (value: number): string => (value >= 1 || value === 0 ? `${short(value)} s` : `${short(value * 1000)} ms`);

/** A number as people read it. */
export const spelled = (value: number, unit: Unit): string => {
  if (unit === 's') return seconds(value);
  if (unit === 'percentunit') return `${short(value * 100)} %`;
  if (unit === 'bytes') return `${short(value)}B`;
  if (unit === 'Bps') return `${short(value)}B/s`;
  if (unit === 'cpm') return `${short(value)}/min`;
  return unit === 'short' ? short(value) : `${short(value)}/s`;
};

/** The next number that is good to read. */
const roundUp = (value: number): number => {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 2.5, 5, 10].find((step) => step * power >= value) ?? 10) * power;
};

const piled = (series: readonly Series[]): readonly Series[] => {
  const sums = new Map<number, number>();
  return series.map(({ name, points }) => ({
    name,
    points: points.map(([at, value]) => {
      const sum = (sums.get(at) ?? 0) + value;
      sums.set(at, sum);
      return [at, sum] as const;
    }),
  }));
};

interface Scale {
  readonly x: (atS: number) => number;
  readonly y: (value: number) => number;
  readonly top: number;
}

const scaleOf = (series: readonly Series[], fromS: number, toS: number): Scale => {
  const top = roundUp(Math.max(0, ...series.flatMap(({ points }) => points.map(([, value]) => value))));
  const width = WIDTH - PLOT.left - PLOT.right;
  const height = HEIGHT - PLOT.top - PLOT.bottom;
  return {
    x: (atS) => PLOT.left + ((atS - fromS) / (toS - fromS)) * width,
    y: (value) => PLOT.top + height - (value / top) * height,
    top,
  };
};

const gridOf = ({ y, top }: Scale, unit: Unit): string =>
  Array.from({ length: GRID_LINES + 1 }, (_, index) => {
    const value = (top / GRID_LINES) * index;
    const at = y(value).toFixed(1);
    return `<line x1="${PLOT.left}" x2="${WIDTH - PLOT.right}" y1="${at}" y2="${at}" stroke="#e4e7ec"/><text x="${PLOT.left - 6}" y="${Number(at) + 4}" text-anchor="end" class="axis">${escaped(spelled(value, unit))}</text>`;
  }).join('');

const lineOf = ({ points }: Series, { x, y }: Scale, colour: string, isArea: boolean): string => {
  if (points.length === 0) return '';
  const path = points.map(([at, value], index) => `${index === 0 ? 'M' : 'L'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join('');
  const [first, last] = [points[0], points.at(-1)];
  const area = `${path}L${x(last?.[0] ?? 0).toFixed(1)} ${y(0)}L${x(first?.[0] ?? 0).toFixed(1)} ${y(0)}Z`;
  return `<path d="${area}" fill="${colour}" opacity="${isArea ? 0.35 : 0.06}"/><path d="${path}" fill="none" stroke="${colour}" stroke-width="1.8"/>`;
};

const legendOf = (series: readonly Series[], colourOf: (name: string) => string): string => {
  const named = series.slice(0, MOST_NAMES);
  const more = series.length - named.length;
  const row = 16;
  const column = (WIDTH - PLOT.left) / 2;
  const entries = named.map(
    ({ name }, index) =>
      `<g transform="translate(${PLOT.left - 30 + (index % 2) * column} ${HEIGHT - PLOT.bottom + 26 + Math.floor(index / 2) * row})"><rect width="10" height="3" y="-4" fill="${colourOf(name)}"/><text x="15" class="legend">${escaped(name.slice(0, 30))}</text></g>`,
  );
  const rest = more > 0 ? `<text x="${WIDTH - PLOT.right}" y="22" text-anchor="end" class="axis">and ${more} more</text>` : '';
  return entries.join('') + rest;
};

/** The panel as SVG; busiest lines first. */
export const drawPanel = ({ title, unit, series, stacked }: DrawnPanel, fromS: number, toS: number): string => {
  const weight = ({ points }: Series): number => points.reduce((sum, [, value]) => sum + value, 0);
  const ordered = series.toSorted((a, b) => weight(b) - weight(a));
  const colours = new Map(ordered.map(({ name }, index) => [name, COLOURS[index % COLOURS.length] ?? '#000']));
  const colourOf = (name: string): string => colours.get(name) ?? '#000';
  const shown = stacked ? piled(ordered) : ordered;
  const scale = scaleOf(shown, fromS, toS);
  const lines = shown.toReversed().map((one) => lineOf(one, scale, colourOf(one.name), stacked));
  const nothing =
    series.length === 0
      ? `<text x="${WIDTH / 2}" y="${HEIGHT / 2}" text-anchor="middle" class="axis">nothing of the kind happened</text>`
      : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="100%" height="100%" rx="6" fill="#fff" stroke="#dde1e7"/><text x="14" y="22" class="title">${escaped(title)}</text>${gridOf(scale, unit)}${lines.join('')}${legendOf(ordered, colourOf)}${nothing}</svg>`;
};
