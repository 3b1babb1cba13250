import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useState, type ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { Failure, Notice } from '../../../ui/states.js';
import { View } from '../../../ui/view.js';
import { VirtualList, type SeenRows } from '../../../ui/virtual-list.js';
import { ARTISTS_AT_ONCE, artistsQuery } from '../queries.js';
import styles from './artists-view.module.css';

const ROW_PX = 44;

/** All artists who made an album. */
export const ArtistsView = (): ReactNode => {
  const [seen, setSeen] = useState<SeenRows>({ first: 0, last: 0 });
  const first = useQuery(artistsQuery(0));
  const [from, to] = [Math.floor(seen.first / ARTISTS_AT_ONCE), Math.floor(seen.last / ARTISTS_AT_ONCE)];
  const parts = useQueries({ queries: Array.from({ length: to - from + 1 }, (_, at) => artistsQuery(from + at)) });
  const onSeen = useCallback((rows: SeenRows) => setSeen(rows), []);
  const total = first.data?.total;
  return (
    <View title={t.artists} fills>
      {first.error && <Failure error={first.error} onRetry={() => void first.refetch()} />}
      {!first.error && total === undefined && <Notice>{t.loading}</Notice>}
      {total === 0 && <Notice>{t.emptyLibrary}</Notice>}
      {total !== undefined && total > 0 && (
        <VirtualList name="artists" label={t.artists} rowCount={total} rowPx={ROW_PX} onSeen={onSeen}>
          {(row) => {
            const artist = parts[Math.floor(row / ARTISTS_AT_ONCE) - from]?.data?.items[row % ARTISTS_AT_ONCE];
            return (
              <div className={styles['row']} role="gridcell">
                {artist && (
                  <>
                    <Link to="/artists/$id" params={{ id: artist.id }}>
                      {artist.name}
                    </Link>
                    <span className={styles['dim']}>{t.albumCount(artist.albumcount)}</span>
                  </>
                )}
              </div>
            );
          }}
        </VirtualList>
      )}
    </View>
  );
};
