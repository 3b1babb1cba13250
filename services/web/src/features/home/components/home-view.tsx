import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
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

const Shelf = ({ ranking, title }: { readonly ranking: AlbumRanking; readonly title: string }): ReactNode => {
  const { data, error, refetch } = useQuery(rankedAlbumsQuery(ranking, SHOWN));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data || data.items.length === 0) return null;
  return (
    <section className={styles['shelf']}>
      <h2>{title}</h2>
      <ul className={styles['albums']}>
        {data.items.map((album) => (
          <li key={album.id}>
            <AlbumCard album={album} />
          </li>
        ))}
      </ul>
    </section>
  );
};

/** Home: shelves of albums by date, plays and chance. */
export const HomeView = (): ReactNode => {
  const { data } = useQuery(rankedAlbumsQuery('newest', SHOWN));
  const isAdministrator = useAccess('administrator');
  return (
    <View title={t.home}>
      {data?.items.length === 0 && (
        <Notice>
          {t.emptyLibrary}{' '}
          {isAdministrator && (
            <Link to="/manage/$section" params={{ section: 'welcome' }} className={styles['begin'] ?? ''}>
              {t.firstSteps}
            </Link>
          )}
        </Notice>
      )}
      {SHELVES.map(([ranking, title]) => (
        <Shelf key={ranking} ranking={ranking} title={title} />
      ))}
    </View>
  );
};
