import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type ReactElement, type ReactNode } from 'react';
import { t } from '../../../messages/index.js';
import { Dialog } from '../../../ui/dialog.js';
import { closeDialog } from '../../../ui/dialogs.js';
import { importPlaylist, type PlaylistImport } from '../import.js';
import styles from './playlists.module.css';

const ENDINGS = '.m3u,.m3u8,.pls,.xspf';

const nameOf = ({ number, artist, title, locations }: PlaylistImport['unmatched'][number]): string => {
  const names = [artist, title].filter((name) => name !== null).join(' – ');
  return `${number}. ${names || (locations[0] ?? '')}`;
};

/** Result of opening a playlist file, with the entries that were not found. */
const OutcomeDialog = ({ made }: { readonly made: PlaylistImport }): ReactNode => {
  const { outcome, playlist, songCount, entryCount, unmatched } = made;
  const isMade = outcome === 'created';
  return (
    <Dialog title={t.openPlaylistFile}>
      <p>{outcome === 'exists' ? t.listExists : t.foundOfFile(songCount, entryCount)}</p>
      {playlist && (
        <p>
          <Link to="/playlists/$id" params={{ id: String(playlist.id) }} onClick={closeDialog} className={styles['link'] ?? ''}>
            {isMade ? t.openList(playlist.name) : playlist.name}
          </Link>
        </p>
      )}
      {unmatched.length > 0 && (
        <>
          <strong>{t.notFoundInLibrary(unmatched.length)}</strong>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by keys, too */}
          <ul className={styles['unmatched']} tabIndex={0} aria-label={t.notFoundInLibrary(unmatched.length)}>
            {unmatched.map((entry) => (
              <li key={entry.number}>
                {nameOf(entry)} <span className={styles['dim']}>{t.whyNotFound(entry.reason)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
};

/** Makes a playlist of a file. */
export const ImportDialog = (): ReactNode => {
  const client = useQueryClient();
  const [file, setFile] = useState<File>();
  const submit = async (): Promise<ReactElement | void> => {
    if (file) return <OutcomeDialog made={await importPlaylist(client, file)} />;
  };
  return (
    <Dialog title={t.openPlaylistFile} submitLabel={t.open} onSubmit={submit}>
      <label>
        {t.playlistFile}
        <input type="file" required accept={ENDINGS} onChange={({ target }) => setFile(target.files?.[0])} />
      </label>
      <p className={styles['dim']}>{t.playlistFileHint}</p>
    </Dialog>
  );
};
