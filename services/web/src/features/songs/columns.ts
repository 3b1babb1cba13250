import type { Song } from '../../lib/api.js';
import { t } from '../../messages/index.js';

/** Columns that can be chosen, in their order. The title and the menu are always there. */
export const columnNames = {
  artist: t.artist,
  album: t.album,
  year: t.year,
  genre: t.genre,
  plays: t.plays,
  format: t.file,
  rating: t.rating,
  favourite: t.favourites,
  time: t.time,
} as const;
export type Column = keyof typeof columnNames;

/** Columns that are only a text. */
export const textColumns = {
  year: ({ year }: Song): string => (year > 0 ? String(year) : ''),
  genre: ({ genre }: Song): string => genre.map(({ name }) => name).join(', '),
  plays: ({ playcount }: Song): string => (playcount > 0 ? String(playcount) : ''),
  format: ({ format, bitrate }: Song): string => `${format} ${t.kbps(Math.round(bitrate / 1000))}`,
} as const satisfies Partial<Record<Column, (song: Song) => string>>;

const KEPT = 'continuo-columns';
const USUAL: readonly Column[] = ['artist', 'album', 'rating', 'favourite', 'time'];
const isColumn = (name: unknown): name is Column => typeof name === 'string' && Object.hasOwn(columnNames, name);

const read = (): ReadonlySet<Column> => {
  const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? 'null');
  return new Set(Array.isArray(kept) ? kept.filter(isColumn) : USUAL);
};

let shown = read();
const watchers = new Set<() => void>();

/** The columns that are shown, in this browser, for `useSyncExternalStore`. */
export const shownColumns = {
  current: (): ReadonlySet<Column> => shown,
  subscribe: (watcher: () => void): (() => void) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  },
};

/** Shows a column or hides it, and keeps that. */
export const toggleColumn = (column: Column): void => {
  shown = shown.symmetricDifference(new Set([column]));
  localStorage.setItem(KEPT, JSON.stringify([...shown]));
  for (const watcher of watchers) watcher();
};
