import type { PlaylistView } from '../../reads/playlists.reads.js';
import type { SongView } from '../../reads/songs.reads.js';
import { objectTable } from '../../render/object-table.js';
import { isoDate } from '../dates.js';
import { formatId } from '../ids.js';
import { seconds } from '../spelling.js';
import { songChild } from './child.object.js';
import { fieldsOf, OPEN, type CompatField } from './fields.js';

/** A playlist or a smartlist as a caller sees it. */
export interface CompatPlaylist {
  readonly view: PlaylistView;
  /** True when the caller may not change what is in it. */
  readonly isReadOnly: boolean;
  /** Names of those with whom the owner shares it. */
  readonly allowedUsers: readonly string[];
}

/** The same with what is in it. */
export interface CompatPlaylistWithSongs extends CompatPlaylist {
  readonly songs: Iterable<SongView>;
}

const idOf = ({ view }: CompatPlaylist): string => formatId(view.kind === 'search' ? 'smartlist' : 'playlist', view.id);

const fields = <T extends CompatPlaylist>(): CompatField<T>[] => {
  const list = fieldsOf<T>();
  return [
    list.text('id', idOf),
    list.text('name', ({ view }) => view.name),
    list.text('comment', ({ view }) => view.comment || undefined),
    list.text('owner', ({ view }) => view.owner),
    list.bool('public', ({ view }) => view.isPublic),
    list.num('songCount', ({ view }) => view.songCount),
    list.num('duration', ({ view }) => seconds(view.durationMs)),
    list.text('created', ({ view }) => isoDate(view.createdAtMs)),
    list.text('changed', ({ view }) => isoDate(view.updatedAtMs)),
    list.text('coverArt', (one) => (one.view.artHash === null ? undefined : idOf(one))),
    list.bool('readonly', ({ isReadOnly }) => isReadOnly, OPEN),
    list.scalars('allowedUser', ({ allowedUsers }) => allowedUsers),
  ];
};

/** A playlist without its songs (schema type Playlist). */
export const playlistObject = objectTable<CompatPlaylist, undefined>('playlist', fields<CompatPlaylist>());

/** A playlist with its songs (schema type PlaylistWithSongs). */
export const playlistWithSongs = objectTable<CompatPlaylistWithSongs, undefined>('playlist', [
  ...fields<CompatPlaylistWithSongs>(),
  fieldsOf<CompatPlaylistWithSongs>().many('entry', songChild, ({ songs }) => songs),
]);
