import { useNavigate } from '@tanstack/react-router';
import { Disc3, Heart, HeartOff, ListEnd, ListStart, ListTree, MicVocal } from 'lucide-react';
import { use, useMemo } from 'react';
import type { Song } from '../../lib/api.js';
import { t } from '../../messages/index.js';
import { announce, type Action } from '../../ui/action.js';
import { setFavourite } from '../marks/index.js';
import { playAfterAlbum, player } from '../player/index.js';
import { OtherActions, type ChosenSongs, type SongAction } from './song-action.js';

/** An action on the chosen songs, which may have to be fetched first. */
export const bound = ({ name, icon, run }: SongAction, chosen: ChosenSongs | (() => Promise<ChosenSongs>)): Action => ({
  name,
  icon,
  run: async () => run(typeof chosen === 'function' ? await chosen() : chosen),
});

const NO_ACTIONS: readonly SongAction[] = [];

/** @param own actions of this list only, such as to remove a song from a playlist */
export const useSongActions = (own: readonly SongAction[] = NO_ACTIONS): readonly SongAction[] => {
  const navigate = useNavigate();
  const { songs: others } = use(OtherActions);
  return useMemo(() => {
    const isOne = (_: readonly Song[], count: number): boolean => count === 1;
    const enqueue = (where: 'next' | 'last', said: (count: number) => string) => ({
      run: ({ songs }: ChosenSongs) => {
        player.enqueue(songs, where);
        announce(said(songs.length));
      },
    });
    const idsOf = (songs: readonly Song[]): readonly string[] => songs.map(({ id }) => id);
    return [
      { name: t.playNext, icon: ListStart, ...enqueue('next', t.playsNext) },
      {
        name: t.playAfterAlbum,
        icon: ListTree,
        run: async ({ songs }) => {
          await playAfterAlbum(songs);
          announce(t.playsAfterAlbum(songs.length));
        },
      },
      { name: t.playLast, icon: ListEnd, ...enqueue('last', t.playsLast) },
      ...others,
      {
        name: t.addFavourite,
        icon: Heart,
        isFor: (songs) => songs.some(({ flag }) => !flag),
        run: ({ songs }) => setFavourite('song', idsOf(songs), true),
      },
      {
        name: t.removeFavourite,
        icon: HeartOff,
        isFor: (songs) => songs.some(({ flag }) => flag),
        run: ({ songs }) => setFavourite('song', idsOf(songs), false),
      },
      ...own,
      {
        name: t.goToAlbum,
        icon: Disc3,
        isFor: isOne,
        run: ({ songs: [song] }) => song && navigate({ to: '/albums/$id', params: { id: song.album.id } }),
      },
      {
        name: t.goToArtist,
        icon: MicVocal,
        isFor: isOne,
        run: ({ songs: [song] }) => song && navigate({ to: '/artists/$id', params: { id: song.artist.id } }),
      },
    ] satisfies readonly SongAction[];
  }, [navigate, others, own]);
};
