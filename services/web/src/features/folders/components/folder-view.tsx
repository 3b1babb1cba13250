import { CornerLeftUp, Folder } from 'lucide-react';
import type { ReactNode } from 'react';
import { viewOf } from '../../../lib/address.js';
import { api, content } from '../../../lib/api.js';
import { songsOf } from '../../../lib/song-sources.js';
import { t } from '../../../messages/index.js';
import { Links, Notice, useData, View } from '../../../ui/view.js';
import { ListTools, SongTable } from '../../songs/parts.js';

const ROOT = '-1';

const folderQuery = (id: string) => ({
  queryKey: ['folders', id],
  queryFn: async () => {
    const path = { folder_id: id };
    const { folder } = await content(api.GET('/folders/{folder_id}', { params: { path, query: { limit: 'none' } } }));
    const { total } = await songsOf({ kind: 'folder', path: folder.path }, 0, 1);
    return { ...folder, songCount: total };
  },
});
type OpenFolder = Awaited<ReturnType<ReturnType<typeof folderQuery>['queryFn']>>;

const Folders = ({ folder: { parent, items } }: { readonly folder: OpenFolder }): ReactNode => (
  <Links
    of={[
      ...(parent === null ? [] : [{ to: viewOf('folders', parent), name: t.folderAbove, icon: CornerLeftUp }]),
      ...items.flatMap(({ id, title, object_type: type }) =>
        type === 'folder' ? [{ to: viewOf('folders', id), name: title, icon: Folder }] : [],
      ),
    ]}
  />
);

/** A folder as it is on disk, with its folders and songs. */
export const FolderView = ({ id = ROOT }: { readonly id?: string }): ReactNode => {
  const [folder, state] = useData(folderQuery(id));
  if (!folder) return state;
  const source = { kind: 'folder', path: folder.path } as const;
  const hasSongs = folder.items.some(({ object_type: type }) => type === 'song');
  const title = folder.parent === null ? t.folders : folder.title;
  return (
    <View
      title={title}
      tools={folder.songCount > 0 && <ListTools source={source} total={folder.songCount} name={title} />}
      fills={hasSongs}
    >
      {hasSongs ? <SongTable source={source} label={title} intro={<Folders folder={folder} />} /> : <Folders folder={folder} />}
      {folder.items.length === 0 && <Notice>{t.emptyLibrary}</Notice>}
    </View>
  );
};
