import { Download } from 'lucide-react';
import { canKeep } from '../../lib/offline.js';
import { t } from '../../messages/index.js';
import { announce } from '../../ui/action.js';
import type { ListAction, SongAction } from '../songs/index.js';

/** Keeps songs in this browser. */
export const keepSongs: SongAction = {
  name: t.keepOffline,
  icon: Download,
  isFor: () => canKeep,
  run: async ({ songs }) => {
    announce(t.keeping(t.songCount(songs.length)));
    const { offline } = await import('./keeping.js');
    await offline.keepSongs(t.songs, songs);
    announce(t.isKept(t.songCount(songs.length)));
  },
};

/** Keeps the songs of an album or a playlist in this browser. */
export const keepList: ListAction = {
  name: t.keepOffline,
  icon: Download,
  isFor: ({ kind }) => canKeep && (kind === 'album' || kind === 'playlist'),
  run: async ({ source, name }) => {
    announce(t.keeping(name));
    const { offline } = await import('./keeping.js');
    await offline.keep(JSON.stringify(source), name);
    announce(t.isKept(name));
  },
};
