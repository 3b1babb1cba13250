import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { Playlist } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { Dialog } from '../../../ui/dialog.js';
import { fullNameOf, pathOf, putIntoFolder, ROOT, saveFolder, type Folder } from '../folders.js';

const FolderChoice = ({
  folders,
  value,
  onChange,
}: {
  readonly folders: readonly Folder[];
  readonly value: string;
  readonly onChange: (id: string) => void;
}): ReactNode => (
  <label>
    {t.inFolder}
    <select value={value} onChange={({ target }) => onChange(target.value)}>
      <option value={ROOT}>{t.noFolder}</option>
      {folders.map((folder) => (
        <option key={folder.id} value={folder.id}>
          {fullNameOf(folders, folder)}
        </option>
      ))}
    </select>
  </label>
);

/** Asks for the name of a folder and the one that it is in. @param folder omitted for a new one */
export const FolderDialog = ({ folders, folder }: { readonly folders: readonly Folder[]; readonly folder?: Folder }): ReactNode => {
  const client = useQueryClient();
  const [terms, setTerms] = useState({ name: folder?.name ?? '', parent: folder?.parent ?? ROOT });
  const isBelow = ({ id }: Folder): boolean => folder !== undefined && pathOf(folders, id).includes(folder);
  return (
    <Dialog
      title={folder ? t.changeFolder(folder.name) : t.newFolder}
      submitLabel={folder ? t.save : t.make}
      onSubmit={() => saveFolder(client, terms, folder?.id)}
    >
      <label>
        {t.folderName}
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog was opened to type this */}
        <input
          required
          autoFocus
          maxLength={255}
          value={terms.name}
          onChange={({ target }) => setTerms({ ...terms, name: target.value })}
        />
      </label>
      {folders.length > 0 && (
        <FolderChoice
          folders={folders.filter((one) => !isBelow(one))}
          value={terms.parent}
          onChange={(parent) => setTerms({ ...terms, parent })}
        />
      )}
    </Dialog>
  );
};

/** Asks for the folder of a list. */
export const ListFolderDialog = ({ folders, list }: { readonly folders: readonly Folder[]; readonly list: Playlist }): ReactNode => {
  const client = useQueryClient();
  const [folderId, setFolderId] = useState(list.playlist_folder_id ?? ROOT);
  return (
    <Dialog title={t.putIntoFolder(list.name)} submitLabel={t.save} onSubmit={() => putIntoFolder(client, list, folderId)}>
      <FolderChoice folders={folders} value={folderId} onChange={setFolderId} />
    </Dialog>
  );
};
