import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Playlist } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { Dialog } from '../../../ui/dialog.js';
import { deletePlaylist } from '../editing.js';

/** Asks before a playlist is deleted. */
export const DeleteDialog = ({ list }: { readonly list: Playlist }): ReactNode => {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <Dialog
      title={t.deletePlaylist}
      submitLabel={t.delete}
      isGrave
      onSubmit={async () => {
        await deletePlaylist(client, list.id);
        await navigate({ to: '/playlists' });
      }}
    >
      <p>{t.deletesPlaylist(list.name)}</p>
    </Dialog>
  );
};
