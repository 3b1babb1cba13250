import type { NowPlayingView } from '../../reads/now-playing.reads.js';
import type { SongView } from '../../reads/songs.reads.js';
import { objectTable } from '../../render/object-table.js';
import { songChild } from './child.object.js';
import { borrowed, fieldsOf, OPEN } from './fields.js';

/** A song that somebody plays. */
export interface NowPlayingEntry {
  readonly song: SongView;
  readonly playing: NowPlayingView;
  readonly nowMs: number;
}

const MINUTE_MS = 60_000;
const of = fieldsOf<NowPlayingEntry>();
const sinceStart = ({ playing, nowMs }: NowPlayingEntry): number => Math.max(0, nowMs - playing.startedAtMs);

/** The song, who plays it, where, and since when (schema type NowPlayingEntry). What clients do not tell is taken for plain playing. */
export const nowPlayingEntry = objectTable<NowPlayingEntry, undefined>('entry', [
  ...songChild.rows.map((row) => borrowed(row, ({ song }: NowPlayingEntry) => song)),
  of.text('username', ({ playing }) => playing.username),
  of.num('minutesAgo', (entry) => Math.floor(sinceStart(entry) / MINUTE_MS)),
  of.num('playerId', () => 0),
  of.text('playerName', ({ playing }) => playing.client),
  of.text('state', () => 'playing', OPEN),
  of.num('positionMs', (entry) => Math.min(sinceStart(entry), entry.song.doc.durationMs), OPEN),
  of.num('playbackRate', () => 1, OPEN),
]);
