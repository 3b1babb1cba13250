import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Playlist } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { DeleteDialog as Ask } from '../../../ui/delete-dialog.js';
import { deletePlaylist } from '../editing.js';

/** Asks before a playlist is deleted. */
export const DeleteDialog = ({ list }: { readonly list: Playlist }): ReactNode => {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <Ask
      title={t.deletePlaylist}
      text={t.deletesPlaylist(list.name)}
      onDelete={async () => {
        await deletePlaylist(client, list.id);
        await navigate({ to: '/playlists' });
      }}
    />
  );
};
