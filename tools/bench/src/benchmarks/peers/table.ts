import { drawBars } from '../../measure/picture.js';
import { isWithin, markdownTable, timesBetter, type Budget, type Measurement } from '../../measure/report.js';

/** A measured value of one server. */
export interface Cell {
  readonly value: number;
  /** Processor time of all its processes, for a request or a file. */
  readonly cpuMs?: number;
  /** Memory of all its processes (Pss), afterwards or at its highest. */
  readonly memoryMb?: number;
  /** Length of an answer on average. */
  readonly bytes?: number;
}

/** A row of the comparison. */
export interface PeerRow {
  readonly key: string;
  readonly what: string;
  readonly unit: string;
  readonly goal: Budget;
}

/** Cells of one server by the keys of the rows. */
export interface ServerColumn {
  readonly name: string;
  readonly cells: ReadonlyMap<string, Cell>;
}

/** Goals for scans and words differ from so many songs on. */
const LARGE = 30_000;

const ms = (key: string, what: string, atMost: number): PeerRow => ({ key, what, unit: 'ms', goal: { atMost } });
const perSecond = (key: string, what: string, atLeast: number): PeerRow => ({
  key: `${key} x8`,
  what: `${what}, 8 at once`,
  unit: 'requests/s',
  goal: { atLeast },
});

/** The rows with their goals for a library of this size. */
export const peerRows = (songs: number): readonly PeerRow[] => [
  { key: 'first', what: 'first scan', unit: 'files/s', goal: { atLeast: songs < LARGE ? 850 : 750 } },
  { key: 'firstCpu', what: 'processor time of it', unit: 'ms a file', goal: { atMost: 2 } },
  { key: 'rescan', what: 'rescan', unit: 'files/s', goal: { atLeast: 70_000 } },
  { key: 'idle', what: 'idle, processor', unit: '% of a core', goal: { atMost: 0.5 } },
  { key: 'memory', what: 'memory after scans', unit: 'MB', goal: { atMost: 250 } },
  { key: 'peak', what: 'highest memory in the first scan', unit: 'MB', goal: { atMost: 400 } },
  ms('ping', '`ping`', 0.25),
  perSecond('ping', '`ping`', 8000),
  ms('getSong', '`getSong`', 0.8),
  ms('getAlbum', '`getAlbum`', 1.5),
  perSecond('getAlbum', '`getAlbum`', 900),
  ms('getArtist', '`getArtist`', 2.5),
  ms('stream', '`stream`, original', 0.9),
  ms('cover', '`getCoverArt` 300, cached', 0.6),
  perSecond('cover', '`getCoverArt` 300, cached', 4000),
  ms('byName', '`getAlbumList2` by name, 500', 10),
  ms('newest', '`getAlbumList2` newest, 50', 3),
  ms('middle', '`search3`, empty, 500 songs', 12),
  ms('word', '`search3`, a rare word', songs < LARGE ? 8 : 10),
  ms('frequentWord', '`search3`, a frequent word', songs < LARGE ? 8 : 10),
  ms('getArtists', '`getArtists`', 8),
];

/** {@link timesBetter} of a row, by its values; the last column is ours. */
export const timesBetterIn = ({ key, goal }: PeerRow, columns: readonly ServerColumn[]): number | undefined => {
  const [own, ...others] = columns.map(({ cells }) => cells.get(key)?.value).toReversed();
  return timesBetter(
    goal,
    own,
    others.filter((value) => value !== undefined),
  );
};

/** The same and, in brackets, by processor time. */
const betterText = (row: PeerRow, columns: readonly ServerColumn[]): string => {
  const [own, ...others] = columns.map(({ cells }) => cells.get(row.key)?.cpuMs).toReversed();
  const byValue = timesBetterIn(row, columns);
  const byCpu = timesBetter(
    { atMost: 0 },
    own,
    others.filter((cpuMs) => cpuMs !== undefined),
  );
  return byValue === undefined ? '–' : byCpu === undefined ? number(byValue) : `${number(byValue)} (${number(byCpu)})`;
};

const number = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en-GB') : String(Number(value.toPrecision(2)));

const cellText = (cell: Cell | undefined): string => {
  if (!cell) return '–';
  const besides = [
    cell.cpuMs === undefined ? undefined : `${number(cell.cpuMs)} ms`,
    cell.memoryMb === undefined ? undefined : `${number(cell.memoryMb)} MB`,
  ];
  const text = besides.filter((part) => part !== undefined).join(', ');
  return text === '' ? number(cell.value) : `${number(cell.value)} (${text})`;
};

const goalText = (goal: Budget): string => ('atLeast' in goal ? `≥ ${number(goal.atLeast)}` : `≤ ${number(goal.atMost)}`);

/** The comparison as a Markdown table; the last column is ours. */
export const comparisonTable = (rows: readonly PeerRow[], columns: readonly ServerColumn[]): string => {
  const [ours, ...peers] = columns.toReversed();
  const head = ['Work', ...columns.map(({ name }) => name), ...(peers.length > 0 ? ['Times better'] : []), 'Goal', ''];
  const lines = rows.map((row) => {
    const { key, what, unit, goal } = row;
    const value = ours?.cells.get(key)?.value;
    return [
      `${what}, ${unit}`,
      ...columns.map(({ cells }) => cellText(cells.get(key))),
      ...(peers.length > 0 ? [betterText(row, columns)] : []),
      goalText(goal),
      value === undefined ? '' : isWithin(goal, value) ? 'kept' : 'missed',
    ];
  });
  return markdownTable([head, ...lines]);
};

const noteOf = (cell: Cell): string =>
  cell.bytes === undefined ? cellText(cell) : `${cellText(cell)}, answers of ${Math.round(cell.bytes)} bytes`;

/** The cells as measurements, for the file of results. Goals are ours only. */
export const measurementsOf = (rows: readonly PeerRow[], columns: readonly ServerColumn[]): Measurement[] =>
  rows.flatMap(({ key, what, unit, goal }) =>
    columns.flatMap(({ name, cells }, index) => {
      const cell = cells.get(key);
      if (!cell) return [];
      const budget = index === columns.length - 1 ? { budget: goal } : {};
      return [{ what: `${what}, ${name}`, value: cell.value, unit, ...budget, note: noteOf(cell) }];
    }),
  );

/** A picture (SVG) of how ours, the last column, compares with the better of the peers in each row. */
export const comparisonPicture = (rows: readonly PeerRow[], columns: readonly ServerColumn[], songs: number): string => {
  const bars = rows.flatMap((row) => {
    const times = timesBetterIn(row, columns);
    return times === undefined ? [] : [{ label: row.what, times }];
  });
  const peers = columns.slice(0, -1).map(({ name }) => name);
  return drawBars(`Beside the better of ${peers.join(' and ')}, ${songs.toLocaleString('en-GB')} songs`, bars);
};
