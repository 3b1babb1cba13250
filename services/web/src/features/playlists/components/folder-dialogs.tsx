import { useState, type ReactNode } from 'react';
import type { Playlist } from '../../../lib/api.js';
import { t } from '../../../messages/index.js';
import { Choice, Field, type Options } from '../../../ui/fields.js';
import { Dialog } from '../../../ui/dialog.js';
import { fullNameOf, pathOf, putIntoFolder, ROOT, saveFolder, type Folder } from '../folders.js';

const optionsOf = (folders: readonly Folder[]): Options<string> => [
  [ROOT, t.noFolder],
  ...folders.map((folder) => [folder.id, fullNameOf(folders, folder)] as const),
];

/** Asks for the name of a folder and the one that it is in. @param folder omitted for a new one */
export const FolderDialog = ({ folders, folder }: { readonly folders: readonly Folder[]; readonly folder?: Folder }): ReactNode => {
  const [terms, setTerms] = useState({ name: folder?.name ?? '', parent: folder?.parent ?? ROOT });
  const isBelow = ({ id }: Folder): boolean => folder !== undefined && pathOf(folders, id).includes(folder);
  return (
    <Dialog
      title={folder ? t.changeFolder(folder.name) : t.newFolder}
      submitLabel={folder ? t.save : t.make}
      onSubmit={() => saveFolder(terms, folder?.id)}
    >
      <Field label={t.folderName} required isFirst maxLength={255} value={terms.name} onChange={(name) => setTerms({ ...terms, name })} />
      {folders.length > 0 && (
        <Choice
          isNamed
          label={t.inFolder}
          options={optionsOf(folders.filter((one) => !isBelow(one)))}
          chosen={terms.parent}
          onChoose={(parent) => setTerms({ ...terms, parent })}
        />
      )}
    </Dialog>
  );
};

/** Asks for the folder of a list. */
export const ListFolderDialog = ({ folders, list }: { readonly folders: readonly Folder[]; readonly list: Playlist }): ReactNode => {
  const [folderId, setFolderId] = useState(list.playlist_folder_id ?? ROOT);
  return (
    <Dialog title={t.putIntoFolder(list.name)} onSubmit={() => putIntoFolder(list, folderId)}>
      <Choice isNamed label={t.inFolder} options={optionsOf(folders)} chosen={folderId} onChoose={setFolderId} />
    </Dialog>
  );
};
