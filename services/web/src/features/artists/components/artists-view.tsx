import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useDeferredValue, useState, type ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { Failure, Notice } from '../../../ui/states.js';
import { View } from '../../../ui/view.js';
import { VirtualList, type SeenRows } from '../../../ui/virtual-list.js';
import { Heart } from '../../marks/index.js';
import { ARTISTS_AT_ONCE, artistsQuery, type ArtistSource } from '../queries.js';
import styles from './artists-view.module.css';

const ROW_PX = 48;

/** A list of artists. */
export const ArtistList = ({ source, emptyText }: { readonly source: ArtistSource; readonly emptyText: string }): ReactNode => {
  const [seen, setSeen] = useState<SeenRows>({ first: 0, last: 0 });
  const first = useQuery(artistsQuery(source, 0));
  const [from, to] = [Math.floor(seen.first / ARTISTS_AT_ONCE), Math.floor(seen.last / ARTISTS_AT_ONCE)];
  const parts = useQueries({ queries: Array.from({ length: to - from + 1 }, (_, at) => artistsQuery(source, from + at)) });
  const onSeen = useCallback((rows: SeenRows) => setSeen(rows), []);
  const failed = [first, ...parts].find(({ error }) => error !== null);
  const total = first.data?.total;
  if (failed) return <Failure error={failed.error} onRetry={() => void failed.refetch()} />;
  if (total === undefined) return <Notice>{t.loading}</Notice>;
  if (total === 0) return <Notice>{emptyText}</Notice>;
  return (
    <VirtualList name={JSON.stringify(source)} label={t.artists} rowCount={total} columns={1} rowPx={ROW_PX} onSeen={onSeen}>
      {(row, isActive) => {
        const artist = parts[Math.floor(row / ARTISTS_AT_ONCE) - from]?.data?.items[row % ARTISTS_AT_ONCE];
        return (
          artist && (
            <div className={styles['row']} role="presentation">
              <span role="gridcell" className={styles['name']}>
                <Link to="/artists/$id" params={{ id: artist.id }} tabIndex={isActive ? 0 : -1} data-focus>
                  {artist.name}
                </Link>
              </span>
              <span role="gridcell" className={styles['dim']}>
                {t.albumCount(artist.albumcount)}
              </span>
              <span role="gridcell">
                <Heart kind="artist" object={artist} name={artist.name} isInTabOrder={isActive} />
              </span>
            </div>
          )
        );
      }}
    </VirtualList>
  );
};

/** All artists who made an album. */
export const ArtistsView = (): ReactNode => {
  const [name, setName] = useState('');
  const asked = useDeferredValue(name.trim());
  return (
    <View
      title={t.artists}
      tools={
        <input
          type="search"
          aria-label={t.filterByName}
          placeholder={t.filterByName}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      }
      fills
    >
      <ArtistList source={asked ? { name: asked } : {}} emptyText={asked ? t.nothingMatches : t.emptyLibrary} />
    </View>
  );
};
