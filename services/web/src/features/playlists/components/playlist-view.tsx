import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CircleHelp, FileDown, ListX, Pencil, Trash2 } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import type { Playlist } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { announceFailure } from '../../../ui/announcements.js';
import { openDialog } from '../../../ui/dialogs.js';
import { IconButton } from '../../../ui/icon-button.js';
import { Failure, Notice } from '../../../ui/states.js';
import { perform } from '../../../ui/action.js';
import { View } from '../../../ui/view.js';
import { Heart } from '../../marks/index.js';
import { PlayButtons } from '../../player/index.js';
import { ListMenu, SongTable, type SongAction } from '../../songs/index.js';
import { SearchSentences, WhyDialog } from '../../smartlists/index.js';
import { moveSong, removeSongs } from '../editing.js';
import { saveAsFile } from '../save-as-file.js';
import { isSmart, lengthOf, playlistQuery } from '../queries.js';
import { DeleteDialog } from './delete-dialog.js';
import styles from './playlists.module.css';
import { TermsDialog } from './terms-dialog.js';

const Tools = ({ list }: { readonly list: Playlist }): ReactNode => {
  const navigate = useNavigate();
  const change = (): void =>
    isSmart(list) ? void navigate({ to: '/smartlists/$id', params: { id: list.id } }) : openDialog(<TermsDialog list={list} />);
  return (
    <div className={styles['tools']}>
      <PlayButtons source={{ kind: 'playlist', id: list.id }} total={lengthOf(list)} />
      <Heart kind="playlist" object={list} name={list.name} />
      <ListMenu source={{ kind: 'playlist', id: list.id }} total={lengthOf(list)} name={list.name} />
      <IconButton icon={FileDown} label={t.saveAsFile} size={18} onPress={() => void perform({ run: () => saveAsFile(list) })} />
      {list.has_access && (
        <>
          <IconButton icon={Pencil} label={isSmart(list) ? t.changeSmartlist : t.changePlaylist} size={18} onPress={change} />
          <IconButton icon={Trash2} label={t.deletePlaylist} size={18} onPress={() => openDialog(<DeleteDialog list={list} />)} />
        </>
      )}
    </div>
  );
};

const removal = (client: QueryClient, id: string): SongAction => ({
  name: t.removeFromPlaylist,
  icon: ListX,
  endsSelection: true,
  run: ({ rows }) =>
    removeSongs(
      client,
      id,
      rows.map((row) => row + 1),
    ),
});

const explanation = (id: string): SongAction => ({
  name: t.whyInList,
  icon: CircleHelp,
  isFor: (_, count) => count === 1,
  run: ({ songs: [song] }) => song && openDialog(<WhyDialog id={id} song={song} />),
});

/** A playlist or smartlist with its songs. */
export const PlaylistView = ({ id }: { readonly id: string }): ReactNode => {
  const client = useQueryClient();
  const { data: list, error, refetch } = useQuery(playlistQuery(id));
  const isRuled = isSmart({ id });
  // The songs of a smartlist follow from its rules.
  const isOrdered = list?.has_collaborate === true && !isRuled;
  const actions = useMemo(
    () => [...(isOrdered ? [removal(client, id)] : []), ...(isRuled ? [explanation(id)] : [])],
    [client, id, isOrdered, isRuled],
  );
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!list) return <Notice>{t.loading}</Notice>;
  const length = lengthOf(list);
  const reorder = (from: number, to: number): void => {
    if (to >= 0 && to < length) moveSong(client, id, from, to).catch(announceFailure);
  };
  return (
    <View title={list.name} tools={<Tools list={list} />} fills>
      <SongTable
        key={id}
        source={{ kind: 'playlist', id }}
        label={list.name}
        emptyText={isRuled ? t.nothingFulfils : t.emptyPlaylist}
        intro={isRuled && <SearchSentences id={id} />}
        actions={actions}
        {...(isOrdered ? { onReorder: reorder } : {})}
      />
    </View>
  );
};
