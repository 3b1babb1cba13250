import { useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { Failure, Notice } from '../../../ui/states.js';
import { VirtualList, type SeenRows } from '../../../ui/virtual-list.js';
import { ALBUMS_AT_ONCE, albumsQuery, type AlbumOrder } from '../queries.js';
import { AlbumCard } from './album-card.js';
import styles from './album-grid.module.css';

const CARD_PX = 170;
const GAP_PX = 16;
const NAMES_PX = 64;

/** All albums, in rows as wide as the window. */
export const AlbumGrid = ({ order }: { readonly order: AlbumOrder }): ReactNode => {
  const box = useRef<HTMLDivElement>(null);
  const [widthPx, setWidthPx] = useState(0);
  const [seen, setSeen] = useState<SeenRows>({ first: 0, last: 0 });
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidthPx(entry?.contentRect.width ?? 0));
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const columns = Math.max(2, Math.floor((widthPx + GAP_PX) / (CARD_PX + GAP_PX)));
  const rowPx = Math.floor((widthPx - GAP_PX * (columns + 1)) / columns) + NAMES_PX + GAP_PX;
  const first = useQuery(albumsQuery(order, 0));
  const from = Math.floor((seen.first * columns) / ALBUMS_AT_ONCE);
  const to = Math.floor(((seen.last + 1) * columns - 1) / ALBUMS_AT_ONCE);
  const parts = useQueries({ queries: Array.from({ length: to - from + 1 }, (_, at) => albumsQuery(order, from + at)) });
  const onSeen = useCallback((rows: SeenRows) => setSeen(rows), []);
  const total = first.data?.total;
  const albumAt = (index: number) => parts[Math.floor(index / ALBUMS_AT_ONCE) - from]?.data?.items[index % ALBUMS_AT_ONCE];
  if (first.error) return <Failure error={first.error} onRetry={() => void first.refetch()} />;
  return (
    <div ref={box} className={styles['box']}>
      {total === undefined && <Notice>{t.loading}</Notice>}
      {total === 0 && <Notice>{t.emptyLibrary}</Notice>}
      {total !== undefined && total > 0 && widthPx > 0 && (
        <VirtualList name={`albums ${order}`} label={t.albums} rowCount={Math.ceil(total / columns)} rowPx={rowPx} onSeen={onSeen}>
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
