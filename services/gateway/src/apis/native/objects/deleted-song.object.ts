import type { DeletedSongView } from '../../../reads/songs/deleted-songs.reads.js';
import { epochSeconds } from './context.js';
import { nativeObject } from './native-object.js';

/** Fields of a deleted song by version. */
export const deletedSongObject = nativeObject<DeletedSongView>('deleted_song', (of) => [
  of.id('id', (song) => song.id),
  of.int('addition_time', (song) => epochSeconds(song.addedAtMs)),
  of.int('delete_time', (song) => epochSeconds(song.deletedAtMs)),
  of.text('title', (song) => song.title),
  of.text('file', (song, { links }) => links.wholePath(song.file)),
  of.id('catalog', (song) => song.catalogId, { since: 6, xml: 'element' }),
  of.int('catalog', (song) => song.catalogId, { until: 5 }),
  of.int('total_count', (song) => song.playCount),
  of.int('total_skip', (song) => song.skipCount),
  of.int('update_time', (song) => epochSeconds(song.updatedAtMs)),
  of.id('album', (song) => song.albumId, { xml: 'element' }),
  of.id('artist', (song) => song.artistId ?? 0, { xml: 'element' }),
]);
