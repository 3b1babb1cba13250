import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useDeferredValue, type ReactNode } from 'react';
import { useAccess } from '../../../lib/account.js';
import { client } from '../../../lib/client.js';
import { t } from '../../../messages/index.js';
import { Failure, Notice, View } from '../../../ui/view.js';
import { lazyComponent } from '../../../ui/lazy-component.js';
import { AlbumShelf, rankedAlbumsQuery, type AlbumRanking } from '../../albums/index.js';
import { bookmarksQuery } from '../../bookmarks/index.js';
import { Continue } from './continue.js';

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

const shelfQueries = SHELVES.map(([ranking]) => rankedAlbumsQuery(ranking, SHOWN));

/** Asks for what the view shows first. */
export const prefetchHome = (): void => {
  for (const query of shelfQueries) void client.prefetchQuery(query);
  void client.prefetchQuery(bookmarksQuery);
};

/** Home: what was left, shelves of albums by date, plays and chance, and what others play. */
export const HomeView = (): ReactNode => {
  const answers = useQueries({ queries: shelfQueries });
  const left = useQuery(bookmarksQuery);
  const waiting = left.isPending ? 0 : answers.findIndex(({ isPending }) => isPending);
  // Their cards are made in slices: a phone stays able to answer a finger meanwhile.
  const shown = useDeferredValue(waiting < 0 ? SHELVES.length : waiting, 0);
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
            <Link to="/manage/$section" params={{ section: 'welcome' }}>
              {t.firstSteps}
            </Link>
          )}
        </Notice>
      )}
      {left.data && left.data.length > 0 && <Continue bookmarks={left.data} />}
      {/* A shelf that came later would push down the ones that are looked at. */}
      {SHELVES.slice(0, shown).map(([ranking, title], at) => {
        const albums = answers[at]?.data?.items ?? [];
        return albums.length > 0 && <AlbumShelf key={ranking} albums={albums} title={title} />;
      })}
      {shown === SHELVES.length && (
        <Suspense>
          <Below />
        </Suspense>
      )}
    </View>
  );
};
