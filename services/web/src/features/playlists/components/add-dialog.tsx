import { useQuery } from '@tanstack/react-query';
import { ListPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Playlist, Song } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { announce } from '../../../ui/action.js';
import { ChooseDialog } from '../../../ui/choose-dialog.js';
import { addSongs } from '../editing.js';
import { isSmart, lengthOf, playlistsQuery } from '../queries.js';
import { TermsDialog } from './terms-dialog.js';

/** Chooses the playlist that songs are added to, or a new one. */
export const AddDialog = ({ songs }: { readonly songs: readonly Song[] }): ReactNode => {
  const query = useQuery(playlistsQuery);
  const add = async ({ id, name }: Playlist): Promise<void> => {
    await addSongs(id, songs);
    announce(t.added(name));
  };
  return (
    <ChooseDialog
      title={t.addCountToPlaylist(songs.length)}
      findLabel={t.findPlaylist}
      icon={ListPlus}
      newLabel={t.newPlaylist}
      newDialog={<TermsDialog songs={songs} />}
      of={query}
      choices={query.data?.filter((list) => !isSmart(list) && list.has_collaborate)}
      noteOf={(list) => t.songCount(lengthOf(list))}
      onChoose={add}
    />
  );
};
