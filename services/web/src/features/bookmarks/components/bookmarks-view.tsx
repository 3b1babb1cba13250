import { useQuery } from '@tanstack/react-query';
import { Play, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { clock } from '../../../lib/format.js';
import { t } from '../../../messages/index.js';
import { perform } from '../../../ui/action.js';
import { IconButton } from '../../../ui/buttons.js';
import { LinkList, QueryState, View } from '../../../ui/view.js';
import { bookmarksQuery, deleteBookmark, goOnWith } from '../queries.js';

/** Songs with a position to go on from. */
export const BookmarksView = (): ReactNode => {
  // Episodes and videos say themselves where they were left.
  const query = useQuery({ ...bookmarksQuery, staleTime: 0, select: (all) => all.filter((one) => one.kind === 'song') });
  return (
    <View title={t.bookmarks}>
      <QueryState of={query} emptyText={t.noBookmarks} />
      <LinkList>
        {query.data?.map(({ id, song, positionS }) => (
          <li key={id}>
            <button type="button" onClick={() => void perform(() => goOnWith(song, positionS))}>
              <Play size={18} aria-hidden />
              <span>
                {song.title} – {song.artist.name}
              </span>
            </button>
            <span>{t.goOnAt(clock(positionS))}</span>
            <IconButton icon={Trash2} label={t.deleteBookmark(song.title)} onPress={() => deleteBookmark(id)} />
          </li>
        ))}
      </LinkList>
    </View>
  );
};
