import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ListPlus, Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Playlist, Song } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { announce, announceFailure } from '../../../ui/announcements.js';
import { Dialog } from '../../../ui/dialog.js';
import { closeDialog, openDialog } from '../../../ui/dialogs.js';
import { Failure, Notice } from '../../../ui/states.js';
import { addSongs } from '../editing.js';
import { apart, lengthOf, playlistsQuery } from '../queries.js';
import styles from './playlists.module.css';
import { TermsDialog } from './terms-dialog.js';

/** Chooses the playlist that songs are added to, or a new one. */
export const AddDialog = ({ songs }: { readonly songs: readonly Song[] }): ReactNode => {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(playlistsQuery);
  const [words, setWords] = useState('');
  const add = ({ id, name }: Playlist): void => {
    closeDialog();
    addSongs(client, id, songs).then(() => announce(t.added(name)), announceFailure);
  };
  const wanted = words.trim().toLowerCase();
  const lists = data && apart(data).playlists.filter((list) => list.has_collaborate && list.name.toLowerCase().includes(wanted));
  return (
    <Dialog title={t.addCountToPlaylist(songs.length)}>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to find a list */}
      <input
        type="search"
        autoFocus
        aria-label={t.findPlaylist}
        placeholder={t.findPlaylist}
        value={words}
        onChange={({ target }) => setWords(target.value)}
      />
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !lists && <Notice>{t.loading}</Notice>}
      <ul className={styles['choices']}>
        <li>
          <button type="button" className={styles['choice']} onClick={() => openDialog(<TermsDialog songs={songs} />)}>
            <Plus size={18} aria-hidden /> {t.newPlaylist}
          </button>
        </li>
        {lists?.map((list) => (
          <li key={list.id}>
            <button type="button" className={styles['choice']} onClick={() => add(list)}>
              <ListPlus size={18} aria-hidden /> <span className={styles['name']}>{list.name}</span>
              <span className={styles['dim']}>{t.songCount(lengthOf(list))}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
};
