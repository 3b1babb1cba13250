import { useRouter } from '@tanstack/react-router';
import type { MouseEvent, ReactNode } from 'react';
import { viewOf } from '../../lib/address.js';
import type { Song } from '../../lib/api.js';
import { clock } from '../../lib/format.js';
import { watched } from '../../lib/watched.js';
import { t } from '../../messages/index.js';
import { Heart, Stars } from '../marks/index.js';

/** A link in a row. The router's own component follows each change of the address, which would make long lists slow. */
const RowLink = ({ to, name, isActive }: { readonly to: string; readonly name: string; readonly isActive: boolean }): ReactNode => {
  const { history } = useRouter();
  const follow = (event: MouseEvent): void => {
    // Other clicks open another tab or window.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.push(to);
  };
  return (
    <a href={`#${to}`} tabIndex={isActive ? 0 : -1} onClick={follow}>
      {name}
    </a>
  );
};

/** A column of a table of songs. */
interface ColumnKind {
  readonly name: string;
  /** Class of its cells. */
  readonly width: 'artist' | 'album' | 'text' | 'stars' | 'button' | 'time';
  readonly cell: (song: Song, isActive: boolean) => ReactNode;
}

const text = (name: string, cell: (song: Song) => string): ColumnKind => ({ name, width: 'text', cell });

/** Columns that can be chosen, in their order. The title and the menu are always there. */
export const columns = {
  artist: {
    name: t.artist,
    width: 'artist',
    cell: ({ artist }, isActive) => <RowLink to={viewOf('artists', artist.id)} name={artist.name} isActive={isActive} />,
  },
  album: {
    name: t.album,
    width: 'album',
    cell: ({ album }, isActive) => <RowLink to={viewOf('albums', album.id)} name={album.name} isActive={isActive} />,
  },
  year: text(t.year, ({ year }) => (year > 0 ? String(year) : '')),
  genre: text(t.genre, ({ genre }) => genre.map(({ name }) => name).join(', ')),
  plays: text(t.plays, ({ playcount }) => (playcount > 0 ? String(playcount) : '')),
  format: text(t.file, ({ format, bitrate }) => `${format} ${t.kbps(Math.round(bitrate / 1000))}`),
  rating: {
    name: t.rating,
    width: 'stars',
    cell: (song, isActive) => <Stars kind="song" object={song} name={song.title} size={14} isInTabOrder={isActive} />,
  },
  favourite: {
    name: t.favourites,
    width: 'button',
    cell: (song, isActive) => <Heart kind="song" object={song} name={song.title} isInTabOrder={isActive} />,
  },
  time: { name: t.time, width: 'time', cell: ({ time }) => clock(time) },
} as const satisfies Readonly<Record<string, ColumnKind>>;
export type Column = keyof typeof columns;

/** Names of all columns, in their order. */
export const columnNames = Object.keys(columns) as readonly Column[];

const KEPT = 'continuo-columns';
const USUAL: readonly Column[] = ['artist', 'album', 'rating', 'favourite', 'time'];

const read = (): ReadonlySet<Column> => {
  const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? 'null');
  return new Set(Array.isArray(kept) ? columnNames.filter((name) => kept.includes(name)) : USUAL);
};

/** The columns that are shown in this browser. */
export const shownColumns = watched(read());

/** Shows a column or hides it, and keeps that. */
export const toggleColumn = (column: Column): void => {
  shownColumns.set(shownColumns.current().symmetricDifference(new Set([column])));
  localStorage.setItem(KEPT, JSON.stringify([...shownColumns.current()]));
};
