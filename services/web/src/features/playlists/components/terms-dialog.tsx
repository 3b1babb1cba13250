import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Playlist, Song } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { announce } from '../../../ui/announcements.js';
import { Dialog } from '../../../ui/dialog.js';
import { ListTermsFields } from '../../../ui/list-terms-fields.js';
import { addSongs, changePlaylist, createPlaylist, type PlaylistTerms } from '../editing.js';
import { Collaborators } from './collaborators.js';

/** Asks for the name of a playlist, who may see it, and who may change it. @param list omitted for a new one @param songs put into a new one */
export const TermsDialog = ({ list, songs = [] }: { readonly list?: Playlist; readonly songs?: readonly Song[] }): ReactNode => {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [terms, setTerms] = useState<PlaylistTerms>({ name: list?.name ?? '', isPublic: list?.type === 'public' });
  const submit = async (): Promise<void> => {
    if (list) return changePlaylist(client, list, terms);
    const made = await createPlaylist(client, terms);
    if (songs.length === 0) return navigate({ to: '/playlists/$id', params: { id: made.id } });
    await addSongs(client, made.id, songs);
    announce(t.added(terms.name));
  };
  return (
    <Dialog title={list ? t.changePlaylist : t.newPlaylist} submitLabel={list ? t.save : t.make} onSubmit={submit}>
      <ListTermsFields label={t.playlistName} terms={terms} onChange={(changed) => setTerms({ ...terms, ...changed })} />
      {list && (
        <Collaborators listId={list.id} chosen={terms.collaborators} onChange={(collaborators) => setTerms({ ...terms, collaborators })} />
      )}
    </Dialog>
  );
};
