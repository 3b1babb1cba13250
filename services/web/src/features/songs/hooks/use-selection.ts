import { useState } from 'react';
import type { Song } from '../../../lib/api.js';
import { songsOf, type SongSource } from '../../../lib/song-sources.js';
import type { ChosenSongs } from '../song-action.js';
import { extendTo, isSelected, NOTHING_SELECTED, selectAll, selectedCount, selectOnly, toggleRow, type Selection } from '../selection.js';

/** Songs fetched at once for an action on a selection. */
const FETCHED_AT_ONCE = 1000;

/** Keys that are held with a click or a key. */
interface Held {
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** The selected rows of a table of songs, and how to change them. */
export interface SongSelection {
  readonly count: number;
  readonly has: (row: number) => boolean;
  /** Chooses a row: with Shift all up to it, with Ctrl or ⌘ as well, else alone. */
  readonly choose: (row: number, held: Held) => void;
  readonly toggle: (row: number) => void;
  readonly extend: (from: number, to: number) => void;
  readonly all: () => void;
  readonly clear: () => void;
  /** Those of the selected songs that `songAt` knows. */
  readonly known: (songAt: (row: number) => Song | undefined) => readonly Song[];
  /** Fetches the selected songs. @throws ApiError */
  readonly fetch: () => Promise<ChosenSongs>;
}

/** Known songs are looked up for so many rows of a selection only. */
const LOOKED_AT = 500;

const rowsOf = ({ ranges }: Selection, atMost: number): number[] => {
  const rows: number[] = [];
  for (const { from, to } of ranges) for (let row = from; row <= to && rows.length < atMost; row += 1) rows.push(row);
  return rows;
};

const fetchSongs = async (source: SongSource, selection: Selection): Promise<ChosenSongs> => {
  const songs: Song[] = [];
  for (const { from, to } of selection.ranges)
    for (let offset = from; offset <= to; offset += FETCHED_AT_ONCE)
      songs.push(...(await songsOf(source, offset, Math.min(FETCHED_AT_ONCE, to - offset + 1))).items);
  return { songs, rows: rowsOf(selection, songs.length) };
};

export const useSelection = (source: SongSource, total: number): SongSelection => {
  const [selection, setSelection] = useState(NOTHING_SELECTED);
  return {
    count: selectedCount(selection),
    has: (row) => isSelected(selection, row),
    choose: (row, { shiftKey, ctrlKey, metaKey }) =>
      setSelection((before) => (shiftKey ? extendTo(before, row) : ctrlKey || metaKey ? toggleRow(before, row) : selectOnly(row))),
    toggle: (row) => setSelection((before) => toggleRow(before, row)),
    extend: (from, to) => setSelection((before) => extendTo(selectedCount(before) === 0 ? selectOnly(from) : before, to)),
    all: () => setSelection(selectAll(total)),
    clear: () => setSelection(NOTHING_SELECTED),
    known: (songAt) => rowsOf(selection, LOOKED_AT).flatMap((row) => songAt(row) ?? []),
    fetch: () => fetchSongs(source, selection),
  };
};
