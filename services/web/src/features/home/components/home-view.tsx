import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import type { Album } from '../../../lib/api.js';
import { useAccess } from '../../../lib/use-access.js';
import { t } from '../../../messages/index.js';
import { Failure, Notice } from '../../../ui/states.js';
import { View } from '../../../ui/view.js';
import { lazyComponent } from '../../../ui/lazy-component.js';
import { AlbumCard, rankedAlbumsQuery, type AlbumRanking } from '../../albums/index.js';
import { bookmarksQuery } from '../../bookmarks/index.js';
import { Continue } from './continue.js';
import styles from './home-view.module.css';

const Below = lazyComponent(() => import('./below.js'), 'Below');

const SHOWN = 14;
const SHELVES: readonly (readonly [ranking: AlbumRanking, title: string])[] = [
  ['recent', t.lastPlayed],
  ['newest', t.newAlbums],
  ['frequent', t.oftenPlayed],
  ['flagged', t.favouriteAlbums],
  ['forgotten', t.forgotten],
  ['random', t.chance],
];

const Shelf = ({ albums, title }: { readonly albums: readonly Album[]; readonly title: string }): ReactNode => (
  <section className={styles['shelf']}>
    <h2>{title}</h2>
    <ul className={styles['albums']}>
      {albums.map((album) => (
        <li key={album.id}>
          <AlbumCard album={album} />
        </li>
      ))}
    </ul>
  </section>
);

/** Home: what was left, shelves of albums by date, plays and chance, and what others play. */
export const HomeView = (): ReactNode => {
  const answers = useQueries({ queries: SHELVES.map(([ranking]) => rankedAlbumsQuery(ranking, SHOWN)) });
  const left = useQuery(bookmarksQuery);
  const waiting = left.isPending ? 0 : answers.findIndex(({ isPending }) => isPending);
  const failed = [...answers, left].filter(({ isError }) => isError);
  const newest = answers[SHELVES.findIndex(([ranking]) => ranking === 'newest')]?.data;
  const isAdministrator = useAccess('administrator');
  return (
    <View title={t.home}>
      {failed[0] && <Failure error={failed[0].error} onRetry={() => failed.forEach(({ refetch }) => void refetch())} />}
      {newest?.items.length === 0 && (
        <Notice>
          {t.emptyLibrary}{' '}
          {isAdministrator && (
            <Link to="/manage/$section" params={{ section: 'welcome' }} className={styles['begin'] ?? ''}>
              {t.firstSteps}
            </Link>
          )}
        </Notice>
      )}
      {left.data && left.data.length > 0 && <Continue bookmarks={left.data} />}
      {/* A shelf that came later would push down the ones that are looked at. */}
      {SHELVES.slice(0, waiting < 0 ? SHELVES.length : waiting).map(([ranking, title], at) => {
        const albums = answers[at]?.data?.items ?? [];
        return albums.length > 0 && <Shelf key={ranking} albums={albums} title={title} />;
      })}
      {waiting < 0 && (
        <Suspense>
          <Below />
        </Suspense>
      )}
    </View>
  );
};
