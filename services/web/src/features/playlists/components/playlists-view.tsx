import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { FileUp, FolderInput, FolderPlus, Globe, Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Playlist } from '../../../lib/api.js';
import { useAccess } from '../../../lib/use-access.js';
import { t } from '../../../messages/index.js';
import { perform } from '../../../ui/action.js';
import { openDialog } from '../../../ui/dialogs.js';
import { IconButton } from '../../../ui/icon-button.js';
import { PillButton } from '../../../ui/pill-button.js';
import { Failure, Notice } from '../../../ui/states.js';
import { ToolRow } from '../../../ui/tool-row.js';
import { View } from '../../../ui/view.js';
import { Heart } from '../../marks/index.js';
import { newSmartlist } from '../../smartlists/index.js';
import { newPlaylist } from '../actions.js';
import { deleteFolder, foldersQuery, fullNameOf, type Folder } from '../folders.js';
import { apart, lengthOf, playlistsQuery } from '../queries.js';
import { FolderDialog, ListFolderDialog } from './folder-dialogs.js';
import { ImportDialog } from './import-dialog.js';
import styles from './playlists.module.css';

const SMALL_PX = 18;
const OPEN_FILE = { name: t.openPlaylistFile, icon: FileUp, run: () => openDialog(<ImportDialog />) };

/** Lists below a heading. @param folders where they can be put */
const Lists = ({
  title,
  tools,
  lists,
  folders,
}: {
  readonly title: string;
  readonly tools?: ReactNode;
  readonly lists: readonly Playlist[];
  readonly folders: readonly Folder[];
}): ReactNode => (
  <section className={styles['part']}>
    <div className={styles['head']}>
      <h2>{title}</h2>
      {tools}
    </div>
    <ul className={styles['list']}>
      {lists.map((list) => (
        <li key={list.id}>
          <Link to="/playlists/$id" params={{ id: list.id }} className={styles['name'] ?? ''}>
            {list.name}
          </Link>
          {list.type === 'public' && <Globe size={16} role="img" aria-label={t.isPublicShort} className={styles['dim']} />}
          <span className={styles['dim']}>{t.songCount(lengthOf(list))}</span>
          {folders.length > 0 && (
            <IconButton
              icon={FolderInput}
              label={t.putIntoFolder(list.name)}
              size={SMALL_PX}
              onPress={() => openDialog(<ListFolderDialog folders={folders} list={list} />)}
            />
          )}
          <Heart kind="playlist" object={list} name={list.name} />
        </li>
      ))}
    </ul>
  </section>
);

const FolderTools = ({ folder, folders }: { readonly folder: Folder; readonly folders: readonly Folder[] }): ReactNode => {
  const client = useQueryClient();
  const isEmpty = folder.items === 0 && folders.every(({ parent }) => parent !== folder.id);
  return (
    <>
      <IconButton
        icon={Pencil}
        label={t.changeFolder(folder.name)}
        size={SMALL_PX}
        onPress={() => openDialog(<FolderDialog folders={folders} folder={folder} />)}
      />
      {isEmpty && (
        <IconButton
          icon={Trash2}
          label={t.deleteFolder(folder.name)}
          size={SMALL_PX}
          onPress={() => void perform({ run: () => deleteFolder(client, folder.id) })}
        />
      )}
    </>
  );
};

/** All playlists and smartlists: those in folders first. */
export const PlaylistsView = (): ReactNode => {
  const client = useQueryClient();
  const { data, error: listsError } = useQuery(playlistsQuery);
  const { data: folders = [], error: foldersError } = useQuery(foldersQuery);
  const error = listsError ?? foldersError;
  const navigate = useNavigate();
  const loose = data?.items.filter(({ playlist_folder_id: id }) => folders.every((folder) => folder.id !== id)) ?? [];
  const { playlists, smartlists } = apart({ items: loose, total: loose.length });
  const mayImport = useAccess('administrator');
  const newFolder = { name: t.newFolder, icon: FolderPlus, run: () => openDialog(<FolderDialog folders={folders} />) };
  return (
    <View
      title={t.playlists}
      tools={
        <ToolRow>
          {[newPlaylist, newSmartlist((to) => navigate({ to })), newFolder, ...(mayImport ? [OPEN_FILE] : [])].map((action) => (
            <PillButton key={action.name} icon={action.icon} label={action.name} onPress={() => void perform(action)} />
          ))}
        </ToolRow>
      }
    >
      {error && <Failure error={error} onRetry={() => void client.refetchQueries({ queryKey: playlistsQuery.queryKey })} />}
      {!error && !data && <Notice>{t.loading}</Notice>}
      {data?.items.length === 0 && <Notice>{t.noPlaylists}</Notice>}
      {folders.map((folder) => (
        <Lists
          key={folder.id}
          title={fullNameOf(folders, folder)}
          tools={<FolderTools folder={folder} folders={folders} />}
          lists={data?.items.filter(({ playlist_folder_id: id }) => id === folder.id) ?? []}
          folders={folders}
        />
      ))}
      {playlists.length > 0 && <Lists title={t.playlists} lists={playlists} folders={folders} />}
      {smartlists.length > 0 && <Lists title={t.smartlists} lists={smartlists} folders={folders} />}
    </View>
  );
};
