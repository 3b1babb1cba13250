import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Globe } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Playlist } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { perform } from '../../../ui/action.js';
import { PillButton } from '../../../ui/pill-button.js';
import { Failure, Notice } from '../../../ui/states.js';
import { ToolRow } from '../../../ui/tool-row.js';
import { View } from '../../../ui/view.js';
import { Heart } from '../../marks/index.js';
import { newSmartlist } from '../../smartlists/index.js';
import { newPlaylist } from '../actions.js';
import { apart, lengthOf, playlistsQuery } from '../queries.js';
import styles from './playlists.module.css';

const Lists = ({ title, lists }: { readonly title: string; readonly lists: readonly Playlist[] }): ReactNode => (
  <section className={styles['part']}>
    <h2>{title}</h2>
    <ul className={styles['list']}>
      {lists.map((list) => (
        <li key={list.id}>
          <Link to="/playlists/$id" params={{ id: list.id }} className={styles['name'] ?? ''}>
            {list.name}
          </Link>
          {list.type === 'public' && <Globe size={16} role="img" aria-label={t.isPublicShort} className={styles['dim']} />}
          <span className={styles['dim']}>{t.songCount(lengthOf(list))}</span>
          <Heart kind="playlist" object={list} name={list.name} />
        </li>
      ))}
    </ul>
  </section>
);

/** All playlists and smartlists. */
export const PlaylistsView = (): ReactNode => {
  const { data, error, refetch } = useQuery(playlistsQuery);
  const navigate = useNavigate();
  const { playlists = [], smartlists = [] } = data ? apart(data) : {};
  return (
    <View
      title={t.playlists}
      tools={
        <ToolRow>
          {[newPlaylist, newSmartlist((to) => navigate({ to }))].map((action) => (
            <PillButton key={action.name} icon={action.icon} label={action.name} onPress={() => void perform(action)} />
          ))}
        </ToolRow>
      }
    >
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Notice>{t.loading}</Notice>}
      {data?.items.length === 0 && <Notice>{t.noPlaylists}</Notice>}
      {playlists.length > 0 && <Lists title={t.playlists} lists={playlists} />}
      {smartlists.length > 0 && <Lists title={t.smartlists} lists={smartlists} />}
    </View>
  );
};
