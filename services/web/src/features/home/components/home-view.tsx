import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Album } from '../../../lib/api.js';
import { useAccess } from '../../../lib/use-access.js';
import { t } from '../../../messages/index.js';
import { Failure, Notice } from '../../../ui/states.js';
import { View } from '../../../ui/view.js';
import { AlbumCard, rankedAlbumsQuery, type AlbumRanking } from '../../albums/index.js';
import styles from './home-view.module.css';

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

/** Home: shelves of albums by date, plays and chance. */
export const HomeView = (): ReactNode => {
  const answers = useQueries({ queries: SHELVES.map(([ranking]) => rankedAlbumsQuery(ranking, SHOWN)) });
  const waiting = answers.findIndex(({ isPending }) => isPending);
  const failed = answers.filter(({ isError }) => isError);
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
      {/* A shelf that came later would push down the ones that are looked at. */}
      {SHELVES.slice(0, waiting < 0 ? SHELVES.length : waiting).map(([ranking, title], at) => {
        const albums = answers[at]?.data?.items ?? [];
        return albums.length > 0 && <Shelf key={ranking} albums={albums} title={title} />;
      })}
    </View>
  );
};
