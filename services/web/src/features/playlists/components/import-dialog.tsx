import { manageClient, requestFailure, type ManageTypes } from '@continuo/client';
import { Link } from '@tanstack/react-router';
import { useState, type ReactElement, type ReactNode } from 'react';
import { accountQuery } from '../../../lib/account.js';
import { ApiError } from '../../../lib/api.js';
import { reload } from '../../../lib/client.js';
import { base, session } from '../../../lib/session.js';
import { viewOf } from '../../../lib/address.js';
import { t } from '../../../messages/index.js';
import { Dialog } from '../../../ui/dialog.js';
import { closeDialog } from '../../../ui/dialogs.js';
import { playlistsQuery } from '../queries.js';
import styles from './playlists.module.css';

/** Result of opening a playlist file. */
type PlaylistImport = ManageTypes['schemas']['PlaylistImport'];

/** Characters of a file, as base64 begins behind the comma of a data address. */
const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => typeof reader.result === 'string' && resolve(reader.result.replace(/^[^,]*,/, '')));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the file could not be read')));
    reader.readAsDataURL(file);
  });

/** Makes a private playlist of one's own of a playlist file. @throws ApiError */
const importPlaylist = async (file: File): Promise<PlaylistImport> => {
  const [{ id }, content] = await Promise.all([accountQuery.queryFn(), base64Of(file)]);
  const body = { fileName: file.name, content, mode: 'create', ownerId: Number(id), isPublic: false, allowSameName: false } as const;
  const { data, error, response } = await manageClient({ url: base, authorization: session.authorization }).POST('/playlists/imports', {
    body,
  });
  if (!data) throw new ApiError(requestFailure(error, response), String(response.status));
  await reload(playlistsQuery.queryKey);
  return data;
};

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
          <Link to={viewOf('playlists', playlist.id)} onClick={closeDialog} className={styles['link'] ?? ''}>
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
                {nameOf(entry)} <small>{t.whyNotFound(entry.reason)}</small>
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
  const [file, setFile] = useState<File>();
  const submit = async (): Promise<ReactElement | void> => {
    if (file) return <OutcomeDialog made={await importPlaylist(file)} />;
  };
  return (
    <Dialog title={t.openPlaylistFile} submitLabel={t.open} onSubmit={submit}>
      <label>
        {t.playlistFile}
        <input type="file" required accept={ENDINGS} onChange={({ target }) => setFile(target.files?.[0])} />
      </label>
      <p>
        <small>{t.playlistFileHint}</small>
      </p>
    </Dialog>
  );
};
