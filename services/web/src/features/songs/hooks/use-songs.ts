import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { Song } from '../../../lib/api.js';
import type { SeenRows } from '../../../ui/virtual-list.js';
import { SONGS_AT_ONCE, songsQuery, type SongSource } from '../../../lib/song-sources.js';

/** Songs of a list, as far as they are in view. */
export interface SeenSongs {
  /** Undefined until the first part is there. */
  readonly total: number | undefined;
  readonly songAt: (row: number) => Song | undefined;
  readonly onSeen: (rows: SeenRows) => void;
  readonly error: unknown;
  readonly retry: () => void;
}

/** Fetches the parts of a list of songs that are in view. */
export const useSongs = (source: SongSource): SeenSongs => {
  const [parts, setParts] = useState<readonly [number, number]>([0, 0]);
  const first = useQuery({ ...songsQuery(source, 0), placeholderData: keepPreviousData });
  const [from, to] = parts;
  const seen = useQueries({ queries: Array.from({ length: to - from + 1 }, (_, index) => songsQuery(source, from + index)) });
  const onSeen = useCallback(({ first: top, last }: SeenRows) => {
    const next = [Math.floor(top / SONGS_AT_ONCE), Math.floor(last / SONGS_AT_ONCE)] as const;
    setParts((before) => (before[0] === next[0] && before[1] === next[1] ? before : next));
  }, []);
  const failed = [first, ...seen].find(({ error }) => error !== null);
  return {
    total: first.data?.total,
    songAt: (row) => seen[Math.floor(row / SONGS_AT_ONCE) - from]?.data?.items[row % SONGS_AT_ONCE],
    onSeen,
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
  };
};
