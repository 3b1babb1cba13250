import { useNavigate } from '@tanstack/react-router';
import { CircleHelp, FileDown, ListX, Pencil } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import type { Playlist } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { announceFailure } from '../../../ui/action.js';
import { DeleteButton } from '../../../ui/delete-button.js';
import { openDialog } from '../../../ui/dialogs.js';
import { IconButton } from '../../../ui/buttons.js';
import { useData, View } from '../../../ui/view.js';
import { Heart } from '../../marks/index.js';
import type { SongAction } from '../../songs/index.js';
import { ListTools, SongTable } from '../../songs/parts.js';
import { WhyDialog } from '../../smartlists/index.js';
import { SearchSentences } from '../../smartlists/parts.js';
import { deletePlaylist, moveSong, removeSongs } from '../editing.js';
import { saveAsFile } from '../save-as-file.js';
import { isSmart, lengthOf, playlistQuery } from '../queries.js';
import { TermsDialog } from './terms-dialog.js';

const Tools = ({ list }: { readonly list: Playlist }): ReactNode => {
  const navigate = useNavigate();
  const change = (): void =>
    isSmart(list) ? void navigate({ to: '/smartlists/$id', params: { id: list.id } }) : openDialog(<TermsDialog list={list} />);
  const remove = async (): Promise<void> => {
    await deletePlaylist(list.id);
    await navigate({ to: '/playlists' });
  };
  return (
    <ListTools source={{ kind: 'playlist', id: list.id }} total={lengthOf(list)} name={list.name}>
      <Heart kind="playlist" object={list} name={list.name} />
      <IconButton icon={FileDown} label={t.saveAsFile} onPress={() => saveAsFile(list)} />
      {list.has_access && (
        <>
          <IconButton icon={Pencil} label={isSmart(list) ? t.changeSmartlist : t.changePlaylist} onPress={change} />
          <DeleteButton label={t.deletePlaylist} text={t.deletesPlaylist(list.name)} onDelete={remove} />
        </>
      )}
    </ListTools>
  );
};

const removal = (id: string): SongAction => ({
  name: t.removeFromPlaylist,
  icon: ListX,
  endsSelection: true,
  run: ({ rows }) =>
    removeSongs(
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
  const [list, state] = useData(playlistQuery(id));
  const isRuled = isSmart({ id });
  // The songs of a smartlist follow from its rules.
  const isOrdered = list?.has_collaborate === true && !isRuled;
  const actions = useMemo(() => [...(isOrdered ? [removal(id)] : []), ...(isRuled ? [explanation(id)] : [])], [id, isOrdered, isRuled]);
  if (!list) return state;
  const length = lengthOf(list);
  const reorder = (from: number, to: number): void => {
    if (to >= 0 && to < length) moveSong(id, from, to).catch(announceFailure);
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
