import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Play, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { clock } from '../../../lib/format.js';
import { t } from '../../../messages/index.js';
import { announceFailure } from '../../../ui/announcements.js';
import { IconButton } from '../../../ui/icon-button.js';
import { LinkList } from '../../../ui/link-list.js';
import { Failure, Notice } from '../../../ui/states.js';
import { View } from '../../../ui/view.js';
import { player } from '../../player/index.js';
import { bookmarksQuery, deleteBookmark, type SongBookmark } from '../queries.js';

/** Goes on with a song where its bookmark is; the list that played before goes on after it. */
const goOn = async ({ song, positionS }: SongBookmark): Promise<void> => {
  player.enqueue([song], 'next');
  await player.next();
  player.engine.seek(positionS);
};

/** Songs with a position to go on from. */
export const BookmarksView = (): ReactNode => {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({ ...bookmarksQuery, staleTime: 0 });
  return (
    <View title={t.bookmarks}>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Notice>{t.loading}</Notice>}
      {data?.length === 0 && <Notice>{t.noBookmarks}</Notice>}
      <LinkList>
        {data?.map((bookmark) => (
          <li key={bookmark.id}>
            <button type="button" onClick={() => void goOn(bookmark).catch(announceFailure)}>
              <Play size={18} aria-hidden />
              <span>
                {bookmark.song.title} – {bookmark.song.artist.name}
              </span>
            </button>
            <span>{t.goOnAt(clock(bookmark.positionS))}</span>
            <IconButton
              icon={Trash2}
              label={t.deleteBookmark(bookmark.song.title)}
              size={18}
              onPress={() => void deleteBookmark(client, bookmark.id).catch(announceFailure)}
            />
          </li>
        ))}
      </LinkList>
    </View>
  );
};
