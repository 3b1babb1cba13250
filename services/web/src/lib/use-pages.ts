import { keepPreviousData, useQueries, useQuery, type QueryKey } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { Page } from './api.js';
import { useListStarts, type OrderedList } from './list-starts.js';

/** The rows that are seen, first to last, both included. */
export interface SeenRows {
  readonly first: number;
  readonly last: number;
}

/** A long list that the server answers in pages. */
export interface PagedSource<T> {
  readonly perPage: number;
  /** The same list, for its letters; undefined where it has none. */
  readonly ordered?: OrderedList | undefined;
  readonly query: (page: number) => {
    readonly queryKey: QueryKey;
    readonly queryFn: () => Promise<Page<T>>;
    readonly refetchInterval?: (query: { readonly state: { readonly data?: Page<T> | undefined } }) => number | false;
  };
}

/** Fetches the pages of a long list that are in view. @param columns items in a row */
export const usePages = <T>({ perPage, ordered, query }: PagedSource<T>, columns = 1) => {
  const [[from, to], setPages] = useState<readonly [number, number]>([0, 0]);
  const start = useQuery({ ...query(0), placeholderData: keepPreviousData });
  const pages = useQueries({ queries: Array.from({ length: to - from + 1 }, (_, at) => query(from + at)) });
  const onSeen = useCallback(
    ({ first, last }: SeenRows) => {
      const next = [Math.floor((first * columns) / perPage), Math.floor(((last + 1) * columns - 1) / perPage)] as const;
      setPages((before) => (before[0] === next[0] && before[1] === next[1] ? before : next));
    },
    [columns, perPage],
  );
  const total = start.data?.total ?? 0;
  return {
    total,
    /** A query that has failed, else that of the first page. */
    state: [start, ...pages].find(({ error }) => error !== null) ?? start,
    starts: useListStarts(ordered, total),
    itemAt: (index: number): T | undefined => pages[Math.floor(index / perPage) - from]?.data?.items[index % perPage],
    onSeen,
  };
};
export type Pages<T> = ReturnType<typeof usePages<T>>;
