import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { Failure, Notice } from '../../../ui/states.js';
import { View } from '../../../ui/view.js';
import { playlistsQuery } from '../queries.js';
import styles from './playlists-view.module.css';

/** All playlists. */
export const PlaylistsView = (): ReactNode => {
  const { data, error, refetch } = useQuery(playlistsQuery);
  return (
    <View title={t.playlists}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Notice>{t.loading}</Notice>}
      {data?.total === 0 && <Notice>{t.emptyLibrary}</Notice>}
      <ul className={styles['list']}>
        {data?.items.map(({ id, name, items }) => (
          <li key={id}>
            <Link to="/playlists/$id" params={{ id }}>
              {name}
            </Link>
            {typeof items === 'number' && <span className={styles['dim']}>{t.songCount(items)}</span>}
          </li>
        ))}
      </ul>
    </View>
  );
};
