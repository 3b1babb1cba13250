import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ListX, Pencil, Trash2 } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import type { Playlist } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { announceFailure } from '../../../ui/announcements.js';
import { openDialog } from '../../../ui/dialogs.js';
import { IconButton } from '../../../ui/icon-button.js';
import { Failure, Notice } from '../../../ui/states.js';
import { View } from '../../../ui/view.js';
import { Heart } from '../../marks/index.js';
import { PlayButtons } from '../../player/index.js';
import { ListMenu, SongTable, type SongAction } from '../../songs/index.js';
import { moveSong, removeSongs } from '../editing.js';
import { lengthOf, playlistQuery } from '../queries.js';
import { DeleteDialog } from './delete-dialog.js';
import styles from './playlists.module.css';
import { TermsDialog } from './terms-dialog.js';

const Tools = ({ list }: { readonly list: Playlist }): ReactNode => (
  <div className={styles['tools']}>
    <PlayButtons source={{ kind: 'playlist', id: list.id }} total={lengthOf(list)} />
    <Heart kind="playlist" object={list} name={list.name} />
    <ListMenu source={{ kind: 'playlist', id: list.id }} total={lengthOf(list)} name={list.name} />
    {list.has_access && (
      <>
        <IconButton icon={Pencil} label={t.changePlaylist} size={18} onPress={() => openDialog(<TermsDialog list={list} />)} />
        <IconButton icon={Trash2} label={t.deletePlaylist} size={18} onPress={() => openDialog(<DeleteDialog list={list} />)} />
      </>
    )}
  </div>
);

/** A playlist or smartlist with its songs. */
export const PlaylistView = ({ id }: { readonly id: string }): ReactNode => {
  const client = useQueryClient();
  const { data: list, error, refetch } = useQuery(playlistQuery(id));
  const remove: readonly SongAction[] = useMemo(
    () => [
      {
        name: t.removeFromPlaylist,
        icon: ListX,
        endsSelection: true,
        run: ({ rows }) =>
          removeSongs(
            client,
            id,
            rows.map((row) => row + 1),
          ),
      },
    ],
    [client, id],
  );
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!list) return <Notice>{t.loading}</Notice>;
  const length = lengthOf(list);
  const reorder = (from: number, to: number): void => {
    if (to >= 0 && to < length) moveSong(client, id, from, to).catch(announceFailure);
  };
  // The songs of a smartlist follow from its rules.
  const isOrdered = list.has_collaborate && !id.startsWith('smart_');
  return (
    <View title={list.name} tools={<Tools list={list} />} fills>
      <SongTable
        key={id}
        source={{ kind: 'playlist', id }}
        label={list.name}
        emptyText={t.emptyPlaylist}
        {...(isOrdered ? { actions: remove, onReorder: reorder } : {})}
      />
    </View>
  );
};
