import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CornerLeftUp, Folder, ListPlus, Music } from 'lucide-react';
import type { ReactNode } from 'react';
import { api, content } from '../../../lib/api.js';
import { clock } from '../../../lib/format.js';
import { t } from '../../../messages/index.js';
import { announce, announceFailure } from '../../../ui/announcements.js';
import { IconButton } from '../../../ui/icon-button.js';
import { LinkList } from '../../../ui/link-list.js';
import { Failure, Notice } from '../../../ui/states.js';
import { View } from '../../../ui/view.js';
import { player } from '../../player/index.js';

const ROOT = '-1';

const folderQuery = (id: string) => ({
  queryKey: ['folders', id],
  queryFn: async () =>
    (await content(api.GET('/folders/{folder_id}', { params: { path: { folder_id: id }, query: { limit: 'none' } } }))).folder,
});
type Item = Awaited<ReturnType<ReturnType<typeof folderQuery>['queryFn']>>['items'][number];

const idIn = ({ id }: Item): string => id.slice(id.lastIndexOf('-') + 1);

const addToQueue = async (item: Item, isNow: boolean): Promise<void> => {
  try {
    const song = await content(api.GET('/songs/{song_id}', { params: { path: { song_id: idIn(item) } } }));
    const wasEmpty = player.state().queue.current === undefined;
    player.enqueue([song], isNow ? 'next' : 'last');
    if (isNow && !wasEmpty) await player.next();
    else announce(t.playsLast(1));
  } catch (error) {
    announceFailure(error);
  }
};

const Row = ({ item }: { readonly item: Item }): ReactNode => {
  if (item.object_type === 'folder')
    return (
      <li>
        <Link to="/folders/$id" params={{ id: idIn(item) }}>
          <Folder size={18} aria-hidden /> {item.title}
        </Link>
      </li>
    );
  if (item.object_type !== 'song') return null;
  return (
    <li>
      <button type="button" onClick={() => void addToQueue(item, true)}>
        <Music size={18} aria-hidden /> {item.title}
      </button>
      <span>{clock(item.time)}</span>
      <IconButton icon={ListPlus} label={t.queueNamed(item.title)} size={18} onPress={() => void addToQueue(item, false)} />
    </li>
  );
};

/** A folder as it is on disk. */
export const FolderView = ({ id = ROOT }: { readonly id?: string }): ReactNode => {
  const { data: folder, error, refetch } = useQuery(folderQuery(id));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!folder) return <Notice>{t.loading}</Notice>;
  return (
    <View title={folder.parent === null ? t.folders : folder.title}>
      <LinkList>
        {folder.parent !== null && (
          <li>
            <Link to="/folders/$id" params={{ id: folder.parent }}>
              <CornerLeftUp size={18} aria-hidden /> {t.folderAbove}
            </Link>
          </li>
        )}
        {folder.items.map((item) => (
          <Row key={item.id} item={item} />
        ))}
      </LinkList>
      {folder.items.length === 0 && <Notice>{t.emptyLibrary}</Notice>}
    </View>
  );
};
