import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { QueryState } from '../../../ui/view.js';
import { usePages } from '../../../lib/use-pages.js';
import { VirtualList } from '../../../ui/virtual-list.js';
import { albumsOf, type AlbumSource } from '../queries.js';
import { AlbumCard } from './album-card.js';
import styles from './album-grid.module.css';

const CARD_PX = 160;
const GAP_PX = 16;
/** Two lines of the album's name, so that those which begin alike can be told apart, and one of its artist. */
const NAMES_PX = 72;

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
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidthPx(entry?.contentRect.width ?? 0));
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const columns = Math.max(2, Math.floor((widthPx - GAP_PX) / (CARD_PX + GAP_PX)));
  const rowPx = Math.floor((widthPx - GAP_PX * (columns + 1)) / columns) + NAMES_PX + GAP_PX;
  const { total, state, starts, itemAt, onSeen } = usePages(albumsOf(source), columns);
  return (
    <div ref={box} className={styles['box']}>
      <QueryState of={state} emptyText={emptyText} />
      {total > 0 && widthPx > 0 && (
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
                const album = itemAt(row * columns + at);
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
