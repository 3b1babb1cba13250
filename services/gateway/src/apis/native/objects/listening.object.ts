import type { HeardObject, ListeningHour, ListeningTotals } from '../../../reads/plays/listening.reads.js';
import { albumObject, type NativeAlbum } from './album.object.js';
import { artistObject, type NativeArtist } from './artist.object.js';
import { epochSeconds, seconds } from './context.js';
import { nativeObject } from './native-object.js';
import { songObject, type NativeSong } from './song.object.js';

/** Plays of an account in a period: totals, and sums by hour. */
export interface NativeListening {
  readonly hours: readonly ListeningHour[];
  readonly totals: ListeningTotals;
}

const hourObject = nativeObject<ListeningHour>('hour', (of) => [
  of.word('day', ({ day }) => day),
  of.int('hour', (one) => one.hour),
  of.int('plays', ({ plays }) => plays),
  of.int('time', ({ durationMs }) => seconds(durationMs)),
]);

const sum = (hours: readonly ListeningHour[], valueOf: (one: ListeningHour) => number): number =>
  hours.reduce((total, one) => total + valueOf(one), 0);

/** Numbers about a period, and the hours in which something was heard. Times in seconds. */
export const listeningObject = nativeObject<NativeListening>('listening', (of) => [
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

/** An object with its plays, their time in seconds, and the first of them in the period. */
export const heardObject = nativeObject<NativeHeard>('heard', (of) => [
  of.int('plays', ({ heard }) => heard.plays),
  of.int('time', ({ heard }) => seconds(heard.durationMs)),
  of.int('first_play', ({ heard }) => epochSeconds(heard.firstAtMs)),
  of.list('song', songObject, ({ songs }) => songs, { optional: true }),
  of.list('album', albumObject, ({ albums }) => albums, { optional: true }),
  of.list('artist', artistObject, ({ artists }) => artists, { optional: true }),
]);
