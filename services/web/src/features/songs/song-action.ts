import type { LucideIcon } from 'lucide-react';
import { createContext } from 'react';
import type { Song } from '../../lib/api.js';
import type { SongSource } from '../../lib/song-sources.js';

/** Songs that somebody chose in a list, and their rows. */
export interface ChosenSongs {
  readonly songs: readonly Song[];
  readonly rows: readonly number[];
}

/** An action on songs. One list of actions feeds the menu of a row, the context menu and the bar of a selection. */
export interface SongAction {
  readonly name: string;
  readonly icon: LucideIcon;
  /** Omitted for actions that suit all songs. @param songs the known ones of the chosen songs; those not fetched yet are missing */
  readonly isFor?: (songs: readonly Song[], count: number) => boolean;
  /** Set for actions that take songs out of the list, so that the selected rows are others afterwards. */
  readonly endsSelection?: true;
  /** @throws when the server refuses; the failure is announced */
  readonly run: (chosen: ChosenSongs) => void | Promise<void>;
}

/** A list of songs with its name. */
export interface NamedList {
  readonly source: SongSource;
  readonly total: number;
  readonly name: string;
}

/** An action on what a list of songs belongs to, such as an album. It stands in the menu of the list. */
export interface ListAction extends Pick<SongAction, 'name' | 'icon'> {
  readonly isFor: (source: SongSource) => boolean;
  /** @throws when the server refuses; the failure is announced */
  readonly run: (list: NamedList) => void | Promise<void>;
}

/** A thing of the library that people put somewhere or hand on. */
export interface NamedThing {
  readonly kind: 'song' | 'album' | 'artist' | 'playlist';
  readonly id: string;
  readonly name: string;
}

/** An action on one thing: it stands in the menu of a song, and in those of albums, artists and playlists. */
export const onThing = (
  look: Pick<SongAction, 'name' | 'icon'>,
  run: (thing: NamedThing) => void,
): { readonly song: SongAction; readonly list: ListAction } => ({
  song: {
    ...look,
    isFor: (_, count) => count === 1,
    run: ({ songs: [song] }) => song && run({ kind: 'song', id: song.id, name: song.title }),
  },
  list: {
    ...look,
    isFor: ({ kind }) => kind === 'album' || kind === 'artist' || kind === 'playlist',
    run: ({ source, name }) => {
      if (source.kind === 'album' || source.kind === 'artist' || source.kind === 'playlist')
        run({ kind: source.kind, id: source.id, name });
    },
  },
});

/** Actions of other features, which the application puts together. */
export const OtherActions = createContext<{ readonly songs: readonly SongAction[]; readonly lists: readonly ListAction[] }>({
  songs: [],
  lists: [],
});
