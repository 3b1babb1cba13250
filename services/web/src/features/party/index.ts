import { PartyPopper } from 'lucide-react';
import { t } from '../../messages/index.js';
import { announce } from '../../ui/action.js';
import type { SongAction } from '../songs/index.js';
import { vote } from './queries.js';

/** Asks for songs at the party by voting for them. */
export const requestSongs: SongAction = {
  name: t.requestSongs,
  icon: PartyPopper,
  run: async ({ songs }) => {
    for (const { id } of songs) await vote(id, true);
    announce(t.requested(songs.length));
  },
};
