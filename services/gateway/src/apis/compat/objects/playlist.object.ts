import type { PlaylistView } from '../../../reads/playlists/playlists.reads.js';
import type { SongView } from '../../../reads/songs/songs.reads.js';
import type { Listed } from '../../../render/flow.js';
import { objectTable } from '../../../render/object-table.js';
import { isoDate } from '../dates.js';
import { formatId } from '../ids.js';
import { seconds } from '../spelling.js';
import { songChild } from './child.object.js';
import { fieldsOf, OPEN, type CompatField, OPTIONAL } from './fields.js';

/** A playlist or smartlist. */
export interface CompatPlaylist {
  readonly view: PlaylistView;
  /** True when the caller may not change its songs. */
  readonly isReadOnly: boolean;
  /** Names of the collaborators. */
  readonly allowedUsers: readonly string[];
}

/** A playlist with its entries. */
export interface CompatPlaylistWithSongs extends CompatPlaylist {
  readonly songs: Listed<SongView>;
}

const idOf = ({ view }: CompatPlaylist): string => formatId(view.kind === 'search' ? 'smartlist' : 'playlist', view.id);

const fields = <T extends CompatPlaylist>(): CompatField<T>[] => {
  const list = fieldsOf<T>();
  return [
    list.text('id', idOf),
    list.text('name', ({ view }) => view.name),
    list.text('comment', ({ view }) => view.comment || undefined, OPTIONAL),
    list.text('owner', ({ view }) => view.owner),
    list.bool('public', ({ view }) => view.isPublic),
    list.int('songCount', ({ view }) => view.songCount),
    list.int('duration', ({ view }) => seconds(view.durationMs)),
    list.text('created', ({ view }) => isoDate(view.createdAtMs), OPTIONAL),
    list.text('changed', ({ view }) => isoDate(view.updatedAtMs), OPTIONAL),
    list.text('coverArt', (one) => (one.view.artHash === null ? undefined : idOf(one)), OPTIONAL),
    list.bool('readonly', ({ isReadOnly }) => isReadOnly, OPEN),
    list.scalars('allowedUser', ({ allowedUsers }) => allowedUsers),
  ];
};

/** A playlist without its songs (schema type Playlist). */
export const playlistObject = objectTable<CompatPlaylist, undefined>('playlist', fields<CompatPlaylist>());

/** A playlist with its songs (schema type PlaylistWithSongs). */
export const playlistWithSongs = objectTable<CompatPlaylistWithSongs, undefined>(
  'playlist',
  [...fields<CompatPlaylistWithSongs>(), fieldsOf<CompatPlaylistWithSongs>().many('entry', songChild, ({ songs }) => songs)],
  'playlist_with_songs',
);
