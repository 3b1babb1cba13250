import { useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useListStarts } from '../../../lib/list-starts.js';
import { t } from '../../../messages/index.js';
import { Failure, Notice } from '../../../ui/states.js';
import { VirtualList, type SeenRows } from '../../../ui/virtual-list.js';
import { ALBUMS_AT_ONCE, albumsQuery, isByYears, orderedAlbums, type AlbumSource } from '../queries.js';
import { AlbumCard } from './album-card.js';
import styles from './album-grid.module.css';

const CARD_PX = 160;
const GAP_PX = 16;
const NAMES_PX = 56;

/** Albums of a list, as far as they are in view. */
const useAlbums = (source: AlbumSource, { first: top, last }: SeenRows, columns: number) => {
  const first = useQuery(albumsQuery(source, 0));
  const from = Math.floor((top * columns) / ALBUMS_AT_ONCE);
  const to = Math.floor(((last + 1) * columns - 1) / ALBUMS_AT_ONCE);
  const parts = useQueries({ queries: Array.from({ length: to - from + 1 }, (_, at) => albumsQuery(source, from + at)) });
  return {
    total: first.data?.total,
    failed: [first, ...parts].find(({ error }) => error !== null),
    albumAt: (index: number) => parts[Math.floor(index / ALBUMS_AT_ONCE) - from]?.data?.items[index % ALBUMS_AT_ONCE],
  };
};

/** Albums of a list, in rows as wide as the window. */
export const AlbumGrid = ({
  source,
  emptyText = t.emptyLibrary,
  intro,
}: {
  readonly source: AlbumSource;
  readonly emptyText?: string;
  readonly intro?: ReactNode;
}): ReactNode => {
  const box = useRef<HTMLDivElement>(null);
  const [widthPx, setWidthPx] = useState(0);
  const [seen, setSeen] = useState<SeenRows>({ first: 0, last: 0 });
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidthPx(entry?.contentRect.width ?? 0));
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const columns = Math.max(2, Math.floor((widthPx - GAP_PX) / (CARD_PX + GAP_PX)));
  const rowPx = Math.floor((widthPx - GAP_PX * (columns + 1)) / columns) + NAMES_PX + GAP_PX;
  const { total, failed, albumAt } = useAlbums(source, seen, columns);
  const starts = useListStarts(isByYears(source) ? undefined : orderedAlbums(source), total ?? 0);
  const onSeen = useCallback((rows: SeenRows) => setSeen(rows), []);
  return (
    <div ref={box} className={styles['box']}>
      {failed && <Failure error={failed.error} onRetry={() => void failed.refetch()} />}
      {!failed && total === undefined && <Notice>{t.loading}</Notice>}
      {total === 0 && <Notice>{emptyText}</Notice>}
      {total !== undefined && total > 0 && widthPx > 0 && (
        <VirtualList
          name={JSON.stringify(source)}
          label={t.albums}
          rowCount={Math.ceil(total / columns)}
          rowPx={rowPx}
          columns={columns}
          cellCount={total}
          intro={intro}
          starts={starts}
          onSeen={onSeen}
        >
          {(row) => (
            <div className={styles['row']} role="presentation" style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
              {Array.from({ length: Math.min(columns, total - row * columns) }, (_, at) => {
                const album = albumAt(row * columns + at);
                return (
                  <div role="gridcell" key={row * columns + at}>
                    {album && <AlbumCard album={album} />}
                  </div>
                );
              })}
            </div>
          )}
        </VirtualList>
      )}
    </div>
  );
};
