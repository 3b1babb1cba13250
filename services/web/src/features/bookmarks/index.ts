import { BookmarkPlus } from 'lucide-react';
import { clock } from '../../lib/format.js';
import { t } from '../../messages/index.js';
import { announce } from '../../ui/action.js';
import { player } from '../player/index.js';
import type { SongAction } from '../songs/index.js';
import { bookmarkSong } from './queries.js';

/** Keeps the present position of the song that plays. */
export const bookmarkHere: SongAction = {
  name: t.bookmarkHere,
  icon: BookmarkPlus,
  isFor: ([song], count) => count === 1 && song !== undefined && song.id === player.state().queue.current?.id,
  run: async ({ songs: [song] }) => {
    if (!song) return;
    const { positionS } = player.engine.playback();
    await bookmarkSong(song, positionS);
    announce(t.bookmarked(song.title, clock(positionS)));
  },
};

export { bookmarksQuery, goOnWith, type Bookmark } from './queries.js';
