import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { Playlist, Song } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { announce } from '../../../ui/announcements.js';
import { Dialog } from '../../../ui/dialog.js';
import { addSongs, changePlaylist, createPlaylist } from '../editing.js';
import styles from './playlists.module.css';

/** Asks for the name of a playlist and who may see it. @param list omitted for a new one @param songs put into a new one */
export const TermsDialog = ({ list, songs = [] }: { readonly list?: Playlist; readonly songs?: readonly Song[] }): ReactNode => {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState(list?.name ?? '');
  const [isPublic, setPublic] = useState(list?.type === 'public');
  const submit = async (): Promise<void> => {
    if (list) return changePlaylist(client, list, { name, isPublic });
    const made = await createPlaylist(client, { name, isPublic });
    if (songs.length === 0) return navigate({ to: '/playlists/$id', params: { id: made.id } });
    await addSongs(client, made.id, songs);
    announce(t.added(name));
  };
  return (
    <Dialog title={list ? t.changePlaylist : t.newPlaylist} submitLabel={list ? t.save : t.make} onSubmit={submit}>
      <label>
        {t.playlistName}
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to type this */}
        <input required autoFocus maxLength={255} value={name} onChange={({ target }) => setName(target.value)} />
      </label>
      <label className={styles['check'] ?? ''}>
        <input type="checkbox" checked={isPublic} onChange={({ target }) => setPublic(target.checked)} /> {t.isPublic}
      </label>
    </Dialog>
  );
};
