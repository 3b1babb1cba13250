import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { FileUp, FolderInput, FolderPlus, Globe, Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { viewOf } from '../../../lib/address.js';
import type { Playlist } from '../../../lib/api.js';
import { reload } from '../../../lib/client.js';
import { useAccess } from '../../../lib/account.js';
import { t } from '../../../messages/index.js';
import { openDialog } from '../../../ui/dialogs.js';
import { IconButton, PillButton } from '../../../ui/buttons.js';
import { LinkList, QueryState, Section, ToolRow, View } from '../../../ui/view.js';
import { Heart } from '../../marks/index.js';
import { newSmartlist } from '../../smartlists/index.js';
import { newPlaylist } from '../actions.js';
import { deleteFolder, foldersQuery, fullNameOf, type Folder } from '../folders.js';
import { isSmart, lengthOf, playlistsQuery } from '../queries.js';
import { FolderDialog, ListFolderDialog } from './folder-dialogs.js';
import { ImportDialog } from './import-dialog.js';
import styles from './playlists.module.css';

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
  <Section title={title} tools={tools} isFlush>
    <LinkList>
      {lists.map((list) => (
        <li key={list.id}>
          <Link to={viewOf('playlists', list.id)}>{list.name}</Link>
          <span className={styles['facts']}>
            {list.type === 'public' && <Globe size={16} role="img" aria-label={t.isPublicShort} />}
            {t.songCount(lengthOf(list))}
          </span>
          {folders.length > 0 && (
            <IconButton
              icon={FolderInput}
              label={t.putIntoFolder(list.name)}
              onPress={() => openDialog(<ListFolderDialog folders={folders} list={list} />)}
            />
          )}
          <Heart kind="playlist" object={list} name={list.name} />
        </li>
      ))}
    </LinkList>
  </Section>
);

const FolderTools = ({ folder, folders }: { readonly folder: Folder; readonly folders: readonly Folder[] }): ReactNode => {
  const isEmpty = folder.items === 0 && folders.every(({ parent }) => parent !== folder.id);
  return (
    <>
      <IconButton
        icon={Pencil}
        label={t.changeFolder(folder.name)}
        onPress={() => openDialog(<FolderDialog folders={folders} folder={folder} />)}
      />
      {isEmpty && <IconButton icon={Trash2} label={t.deleteFolder(folder.name)} onPress={() => deleteFolder(folder.id)} />}
    </>
  );
};

/** All playlists and smartlists: those in folders first. */
export const PlaylistsView = (): ReactNode => {
  const { data, error: listsError } = useQuery(playlistsQuery);
  const { data: folders = [], error: foldersError } = useQuery(foldersQuery);
  const error = listsError ?? foldersError;
  const navigate = useNavigate();
  const loose = data?.filter(({ playlist_folder_id: id }) => folders.every((folder) => folder.id !== id)) ?? [];
  const [playlists, smartlists] = [loose.filter((list) => !isSmart(list)), loose.filter(isSmart)];
  const mayImport = useAccess('administrator');
  const newFolder = { name: t.newFolder, icon: FolderPlus, run: () => openDialog(<FolderDialog folders={folders} />) };
  return (
    <View
      title={t.playlists}
      tools={
        <ToolRow>
          {[newPlaylist, newSmartlist((to) => navigate({ to })), newFolder, ...(mayImport ? [OPEN_FILE] : [])].map((action) => (
            <PillButton key={action.name} icon={action.icon} label={action.name} onPress={action.run} />
          ))}
        </ToolRow>
      }
    >
      <QueryState of={{ data, error, refetch: () => reload(playlistsQuery.queryKey) }} emptyText={t.noPlaylists} />
      {folders.map((folder) => (
        <Lists
          key={folder.id}
          title={fullNameOf(folders, folder)}
          tools={<FolderTools folder={folder} folders={folders} />}
          lists={data?.filter(({ playlist_folder_id: id }) => id === folder.id) ?? []}
          folders={folders}
        />
      ))}
      {playlists.length > 0 && <Lists title={t.playlists} lists={playlists} folders={folders} />}
      {smartlists.length > 0 && <Lists title={t.smartlists} lists={smartlists} folders={folders} />}
    </View>
  );
};
