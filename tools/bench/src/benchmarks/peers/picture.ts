import { timesBetterIn, type PeerRow, type ServerColumn } from './table.js';

/** Sizes in pixels; bars are as long as the logarithm of how many times better or worse a value is. */
const WIDTH = 880;
const ROW = 24;
const HEAD = 64;
const EVEN_X = 560;
const DOUBLING = 30;
const LONGEST = 6;
const LABEL_X = 266;

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

const bar = (times: number, y: number): string => {
  const doublings = Math.min(LONGEST, Math.abs(Math.log2(times)));
  const length = Math.max(1, Math.round(doublings * DOUBLING));
  const isBetter = times >= 1;
  const x = isBetter ? EVEN_X : EVEN_X - length;
  const [textX, anchor] = isBetter ? [x + length + 6, 'start'] : [x - 6, 'end'];
  const often = short(isBetter ? times : 1 / times);
  const text = often === '1' ? 'equal' : `${often} times ${isBetter ? 'better' : 'worse'}`;
  return `  <rect class="${isBetter ? 'better' : 'worse'}" x="${x}" y="${y - 11}" width="${length}" height="14" rx="2"/>
  <text class="text" x="${textX}" y="${y}" text-anchor="${anchor}">${text}</text>`;
};

/** A picture (SVG) of how ours, the last column, compares with the better of the peers in each row. */
export const comparisonPicture = (rows: readonly PeerRow[], columns: readonly ServerColumn[], songs: number): string => {
  const compared = rows.flatMap((row) => {
    const times = timesBetterIn(row, columns);
    return times === undefined ? [] : [{ label: row.what.replaceAll('`', ''), times }];
  });
  const height = HEAD + compared.length * ROW + 16;
  const peers = columns.slice(0, -1).map(({ name }) => name);
  const title = `Beside the better of ${peers.join(' and ')}, ${songs.toLocaleString('en-GB')} songs`;
  const lines = compared.map(({ label, times }, at) => {
    const y = HEAD + at * ROW + 12;
    return `  <text class="text" x="${LABEL_X}" y="${y}" text-anchor="end">${label}</text>\n${bar(times, y)}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif">
  <title id="title">${title}</title>
  <style>${STYLE}
  </style>
  <rect class="page" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>
  <text class="head" x="24" y="34">${title}</text>
  <line class="even" x1="${EVEN_X}" x2="${EVEN_X}" y1="${HEAD - 8}" y2="${height - 12}"/>
${lines.join('\n')}
</svg>
`;
};
