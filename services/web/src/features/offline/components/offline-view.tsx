import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { Download, RefreshCw, Trash2 } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { size } from '../../../lib/format.js';
import { canKeep, type OfflineList } from '../../../lib/offline.js';
import type { SongSource } from '../../../lib/song-sources.js';
import { useWatched } from '../../../lib/watched.js';
import { t } from '../../../messages/index.js';
import { announceFailure } from '../../../ui/action.js';
import { IconButton } from '../../../ui/buttons.js';
import { LinkList, Notice, View } from '../../../ui/view.js';
import { PlayButtons } from '../../player/index.js';
import { SongTable } from '../../songs/parts.js';
import { offline, type OfflineState } from '../keeping.js';

const sumOf = (lists: readonly OfflineList[]): number =>
  [...new Map(lists.flatMap(({ songs }) => songs.map(({ id, bytes = 0 }) => [id, bytes]))).values()].reduce((sum, bytes) => sum + bytes, 0);

const useOffline = (): OfflineState => {
  useEffect(() => void offline.refresh().catch(announceFailure), []);
  return useWatched(offline.state);
};

const ListRow = ({ list, isBusy }: { readonly list: OfflineList; readonly isBusy: boolean }): ReactNode => {
  const { key, name, songs } = list;
  const there = songs.filter(({ bytes }) => bytes !== undefined).length;
  return (
    <li>
      <Link to="/offline/$id" params={{ id: key }}>
        <Download size={18} aria-hidden />
        <span>{name}</span>
      </Link>
      <span>
        {there < songs.length ? t.keptOf(there, songs.length) : t.songCount(songs.length)} · {size(sumOf([list]))}
      </span>
      {isBusy && <progress aria-label={t.keeping(name)} value={there} max={songs.length || 1} />}
      {!isBusy && <IconButton icon={RefreshCw} label={t.keepAnew(name)} onPress={() => offline.keep(key, name)} />}
      <IconButton icon={Trash2} label={t.removeKept(name)} onPress={() => offline.remove(key)} />
    </li>
  );
};

/** Lists that this browser keeps, and the room that they take. */
export const OfflineView = (): ReactNode => {
  const { lists, busy } = useOffline();
  const kept = lists && sumOf(lists);
  const { data: room } = useQuery({ queryKey: ['room', kept], queryFn: () => navigator.storage.estimate(), enabled: canKeep });
  return (
    <View title={t.offline}>
      {!canKeep && <Notice>{t.cannotKeep}</Notice>}
      {canKeep && lists?.length === 0 && <Notice>{t.nothingKept}</Notice>}
      <LinkList>
        {lists?.map((list) => (
          <ListRow key={list.key} list={list} isBusy={busy.has(list.key)} />
        ))}
      </LinkList>
      {kept !== undefined && kept > 0 && (
        <Notice>
          {t.keptBytes(size(kept))} {room?.quota !== undefined && t.roomLeft(size(Math.max(0, room.quota - (room.usage ?? 0))))}{' '}
          {t.signOutRemoves}
        </Notice>
      )}
    </View>
  );
};

/** The songs of a list that this browser keeps. @param id JSON of their source */
export const OfflineListView = ({ id: key }: { readonly id: string }): ReactNode => {
  const { lists } = useOffline();
  const list = lists?.find((one) => one.key === key);
  if (!list) return <View title={lists ? t.notHere : t.offline}>{!lists && <Notice>{t.loading}</Notice>}</View>;
  const source = JSON.parse(key) as SongSource;
  const total = list.songs.filter(({ bytes }) => bytes !== undefined).length;
  return (
    <View title={list.name} tools={<PlayButtons source={source} total={total} />} fills>
      <SongTable source={source} label={list.name} />
    </View>
  );
};
