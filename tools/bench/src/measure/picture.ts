import { timesBetter, type Measurement } from './report.js';

/** Sizes in pixels; bars are as long as the logarithm of how many times better or worse a value is. */
const ROW = 24;
const HEAD = 64;
const MARGIN = 24;
const LETTER = 6.4;
const DOUBLING = 30;
const LONGEST = 6;
/** Room for the words beside a bar. */
const WORDS = 114;
const HALF = LONGEST * DOUBLING + WORDS;

const STYLE = `
    .page { fill: #fbfaf7; stroke: #dcd8cf; }
    .head { fill: #1f1d1a; font-size: 17px; font-weight: 600; }
    .text { fill: #3f3c35; font-size: 12.5px; }
    .even { stroke: #6b665a; }
    .better { fill: #4d8f60; }
    .worse { fill: #b98524; }
    @media (prefers-color-scheme: dark) {
      .page { fill: #1b1c1f; stroke: #3a3c42; }
      .head { fill: #eceae5; }
      .text { fill: #c9c6be; }
      .even { stroke: #8d919c; }
    }`;

const short = (value: number): string => (value >= 10 ? String(Math.round(value)) : String(Number(value.toPrecision(2))));

/** A bar of a picture: to the right what is better than what it is compared with, to the left what is worse. */
export interface Bar {
  readonly label: string;
  /** How many times better; below 1 it is worse. */
  readonly times: number;
}

const drawBar = ({ times }: Bar, evenX: number, y: number): string => {
  const doublings = Math.min(LONGEST, Math.abs(Math.log2(times)));
  const length = Math.max(1, Math.round(doublings * DOUBLING));
  const isBetter = times >= 1;
  const x = isBetter ? evenX : evenX - length;
  const [textX, anchor] = isBetter ? [x + length + 6, 'start'] : [x - 6, 'end'];
  const often = short(isBetter ? times : 1 / times);
  const text = often === '1' ? 'equal' : `${often} times ${isBetter ? 'better' : 'worse'}`;
  return `  <rect class="${isBetter ? 'better' : 'worse'}" x="${x}" y="${y - 11}" width="${length}" height="14" rx="2"/>
  <text class="text" x="${textX}" y="${y}" text-anchor="${anchor}">${text}</text>`;
};

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A picture (SVG) of how many times better or worse each of several values is. */
export const drawBars = (title: string, bars: readonly Bar[]): string => {
  const labelX = MARGIN + Math.round(Math.max(...bars.map(({ label }) => label.length)) * LETTER);
  const evenX = labelX + HALF;
  const width = evenX + HALF + MARGIN;
  const height = HEAD + bars.length * ROW + 16;
  const lines = bars.map((bar, at) => {
    const y = HEAD + at * ROW + 12;
    return `  <text class="text" x="${labelX}" y="${y}" text-anchor="end">${escaped(bar.label.replaceAll('`', ''))}</text>\n${drawBar(bar, evenX, y)}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif">
  <title id="title">${escaped(title)}</title>
  <style>${STYLE}
  </style>
  <rect class="page" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
  <text class="head" x="${MARGIN}" y="34">${escaped(title)}</text>
  <line class="even" x1="${evenX}" x2="${evenX}" y1="${HEAD - 8}" y2="${height - 12}"/>
${lines.join('\n')}
</svg>
`;
};

const budgetBar = (measurement: Measurement): Bar[] => {
  const { what, value, unit, budget } = measurement;
  const times = budget && timesBetter(budget, value, ['atLeast' in budget ? budget.atLeast : budget.atMost]);
  // A budget of nothing, as of files left open, has no length to compare.
  return times === undefined || !Number.isFinite(times) || times === 0 ? [] : [{ label: `${what}: ${short(value)} ${unit}`, times }];
};

/** A picture (SVG) of measured values beside their budgets. */
export const budgetPicture = (title: string, measurements: readonly Measurement[]): string =>
  drawBars(title, measurements.flatMap(budgetBar));
