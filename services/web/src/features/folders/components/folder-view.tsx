import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CornerLeftUp, Folder } from 'lucide-react';
import type { ReactNode } from 'react';
import { api, content } from '../../../lib/api.js';
import { songsOf } from '../../../lib/song-sources.js';
import { t } from '../../../messages/index.js';
import { LinkList } from '../../../ui/link-list.js';
import { Failure, Notice } from '../../../ui/states.js';
import { View } from '../../../ui/view.js';
import { PlayButtons } from '../../player/index.js';
import { ListMenu, SongTable } from '../../songs/index.js';
import styles from './folder-view.module.css';

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

const Folders = ({ folder }: { readonly folder: OpenFolder }): ReactNode => (
  <LinkList>
    {folder.parent !== null && (
      <li>
        <Link to="/folders/$id" params={{ id: folder.parent }}>
          <CornerLeftUp size={18} aria-hidden /> {t.folderAbove}
        </Link>
      </li>
    )}
    {folder.items
      .filter(({ object_type: type }) => type === 'folder')
      .map(({ id, title }) => (
        <li key={id}>
          <Link to="/folders/$id" params={{ id }}>
            <Folder size={18} aria-hidden /> {title}
          </Link>
        </li>
      ))}
  </LinkList>
);

/** A folder as it is on disk, with its folders and songs. */
export const FolderView = ({ id = ROOT }: { readonly id?: string }): ReactNode => {
  const { data: folder, error, refetch } = useQuery(folderQuery(id));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!folder) return <Notice>{t.loading}</Notice>;
  const source = { kind: 'folder', path: folder.path } as const;
  const hasSongs = folder.items.some(({ object_type: type }) => type === 'song');
  const title = folder.parent === null ? t.folders : folder.title;
  return (
    <View
      title={title}
      tools={
        folder.songCount > 0 && (
          <div className={styles['tools']}>
            <PlayButtons source={source} total={folder.songCount} />
            <ListMenu source={source} total={folder.songCount} name={title} />
          </div>
        )
      }
      fills={hasSongs}
    >
      {hasSongs ? <SongTable source={source} label={title} intro={<Folders folder={folder} />} /> : <Folders folder={folder} />}
      {folder.items.length === 0 && <Notice>{t.emptyLibrary}</Notice>}
    </View>
  );
};
