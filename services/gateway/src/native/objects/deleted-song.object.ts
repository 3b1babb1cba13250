import { objectTable, rowsOf, type ObjectTable } from '../../render/index.js';
import type { DeletedSongView } from '../../reads/deleted-songs.reads.js';
import { epochSeconds, type NativeContext } from './context.js';

const of = rowsOf<DeletedSongView, NativeContext>();

const rows = [
  of.id('id', (song) => song.id),
  of.num('addition_time', (song) => epochSeconds(song.addedAtMs)),
  of.num('delete_time', (song) => epochSeconds(song.deletedAtMs)),
  of.text('title', (song) => song.title),
  of.text('file', (song) => song.file),
  of.id('catalog', (song) => song.catalogId, { since: 6, xml: 'element' }),
  of.num('catalog', (song) => song.catalogId, { until: 5 }),
  of.num('total_count', (song) => song.playCount),
  of.num('total_skip', (song) => song.skipCount),
  of.num('update_time', (song) => epochSeconds(song.updatedAtMs)),
  of.id('album', (song) => song.albumId, { xml: 'element' }),
  of.id('artist', (song) => song.artistId ?? 0, { xml: 'element' }),
];

/** versions.md sections 6.1, 6.3 and 7.1. */
export const deletedSongObject: ObjectTable<DeletedSongView, NativeContext> = objectTable('deleted_song', rows);
