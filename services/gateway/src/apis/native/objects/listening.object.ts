import type { HeardObject, ListeningHour, ListeningTotals } from '../../../reads/plays/listening.reads.js';
import { objectTable, rowsOf } from '../../../render/index.js';
import { albumObject, type NativeAlbum } from './album.object.js';
import { artistObject, type NativeArtist } from './artist.object.js';
import { epochSeconds, seconds, type NativeContext } from './context.js';
import { songObject, type NativeSong } from './song.object.js';

/** Plays of an account in a period: totals, and sums by hour. */
export interface NativeListening {
  readonly hours: readonly ListeningHour[];
  readonly totals: ListeningTotals;
}

const hour = rowsOf<ListeningHour, NativeContext>();
const hourObject = objectTable<ListeningHour, NativeContext>('hour', [
  hour.word('day', ({ day }) => day),
  hour.int('hour', (one) => one.hour),
  hour.int('plays', ({ plays }) => plays),
  hour.int('time', ({ durationMs }) => seconds(durationMs)),
]);

const sum = (hours: readonly ListeningHour[], valueOf: (one: ListeningHour) => number): number =>
  hours.reduce((total, one) => total + valueOf(one), 0);

const of = rowsOf<NativeListening, NativeContext>();

/** Numbers about a period, and the hours in which something was heard. Times in seconds. */
export const listeningObject = objectTable<NativeListening, NativeContext>('listening', [
  of.int('plays', ({ hours }) => sum(hours, ({ plays }) => plays)),
  of.int('time', ({ hours }) => seconds(sum(hours, ({ durationMs }) => durationMs))),
  of.int('songs', ({ totals }) => totals.songs),
  of.int('new_songs', ({ totals }) => totals.newSongs),
  of.int('first_play', ({ totals: { firstAtMs } }) => (firstAtMs === null ? null : epochSeconds(firstAtMs)), { nullable: true }),
  of.list('hour', hourObject, ({ hours }) => hours),
]);

/** An object that was heard in a period; one of the lists has it. */
export interface NativeHeard {
  readonly heard: HeardObject;
  readonly songs?: readonly NativeSong[];
  readonly albums?: readonly NativeAlbum[];
  readonly artists?: readonly NativeArtist[];
}

const one = rowsOf<NativeHeard, NativeContext>();

/** An object with its plays, their time in seconds, and the first of them in the period. */
export const heardObject = objectTable<NativeHeard, NativeContext>('heard', [
  one.int('plays', ({ heard }) => heard.plays),
  one.int('time', ({ heard }) => seconds(heard.durationMs)),
  one.int('first_play', ({ heard }) => epochSeconds(heard.firstAtMs)),
  one.list('song', songObject, ({ songs }) => songs, { optional: true }),
  one.list('album', albumObject, ({ albums }) => albums, { optional: true }),
  one.list('artist', artistObject, ({ artists }) => artists, { optional: true }),
]);
