import type { PlayerStatus } from '@continuo/contracts';
import { artistOf, type PlayerView } from '../../../features/localplay/server-player.js';
import type { QueueEntry } from '../../../features/localplay/queue-entries.js';
import { songFileName } from '../../../features/media/send-song.js';
import { episodeFileName } from '../../../reads/podcasts/episode-files.js';
import { AS_CDATA, fieldNode, objectNode, type FieldNode, type ObjectNode } from '../../../render/index.js';
import type { NativeContext } from './context.js';
import { nativeObject } from './native-object.js';

/** Written for values that are unknown or hidden from the caller. */
const UNKNOWN = 'Unknown';

interface Names {
  readonly title: string;
  readonly artist: string;
  readonly album: string;
}

const namesOf = (thing: QueueEntry | undefined): Names => {
  switch (thing?.kind) {
    case 'song':
      return { title: thing.song.doc.title, artist: artistOf(thing.song), album: thing.song.doc.album.name };
    case 'video':
      return { title: thing.video.title, artist: '', album: '' };
    case 'podcast_episode':
      return { title: thing.episode.title, artist: '', album: thing.episode.podcastTitle };
    case 'live_stream':
      return thing.title === undefined
        ? { title: thing.station.name, artist: '', album: '' }
        : { title: thing.title, artist: '', album: thing.station.name };
    case 'democratic':
      return { title: 'Democratic playlist', artist: '', album: '' };
    case 'foreign':
      return thing.entry;
    default:
      return { title: '', artist: '', album: '' };
  }
};

const lineOf = (thing: QueueEntry): string => {
  const { title, artist } = namesOf(thing);
  if (title === '') return UNKNOWN;
  return artist === '' ? title : `${artist} - ${title}`;
};

/** A queue entry and its position, from 1. */
export interface LocalplayEntry {
  readonly thing: QueueEntry;
  readonly track: number;
}

const idOf = ({ thing }: LocalplayEntry): number | undefined => {
  if (thing.kind === 'song') return thing.song.doc.id;
  if (thing.kind === 'video') return thing.video.id;
  if (thing.kind === 'podcast_episode') return thing.episode.id;
  if (thing.kind === 'live_stream') return thing.station.id;
  return thing.kind === 'democratic' ? thing.id : undefined;
};

/** The caller's own address of the entry: the player's address contains the token of the account that queued it. */
const addressOf = ({ thing }: LocalplayEntry, { links }: NativeContext): string => {
  switch (thing.kind) {
    case 'song': {
      const { id, title, format } = thing.song.doc;
      return links.song(id, songFileName({ artist: artistOf(thing.song), title, format }));
    }
    case 'video':
      return links.video(thing.video.id, `${thing.video.title}.${thing.video.format}`);
    case 'podcast_episode':
      return links.episode(thing.episode.id, episodeFileName(thing.episode));
    case 'live_stream':
      return thing.station.url;
    case 'democratic':
      return links.democratic(thing.id);
    case 'foreign':
      return thing.entry.url;
    default:
      return '';
  }
};

/** Fields of a queue entry. Foreign and hidden entries have id 0. */
export const localplaySongObject = nativeObject<LocalplayEntry>({ kind: 'localplay_songs', schema: 'localplay_song' }, (of) => [
  of.int('id', (entry) => idOf(entry) ?? 0),
  of.text('raw', addressOf),
  of.int('vlid', ({ track }) => track),
  of.int('oid', idOf, { optional: true }),
  of.text('name', ({ thing }) => lineOf(thing)),
  of.text('link', ({ thing }, { links }) => (thing.kind === 'song' ? links.songPage(thing.song.doc.id) : null), { nullable: true }),
  of.int('track', ({ track }) => track),
]);

/** First version with boolean switches. */
const BOOLEANS_SINCE = 6;

const volumeOf = ({ volumePercent }: PlayerStatus): string => String(volumePercent ?? 100);

/** Player status. */
const statusNode = ({ status, current }: PlayerView, version: number): ObjectNode => {
  const { title, artist, album } = namesOf(current);
  const field = (name: string, value: string | number | boolean): FieldNode => fieldNode(name, value, AS_CDATA);
  const onOff = (name: string, isOn: boolean): FieldNode => field(name, version < BOOLEANS_SINCE ? (isOn ? '1' : '0') : isOn);
  return objectNode([
    field('state', status.state),
    field('volume', volumeOf(status)),
    onOff('repeat', status.isRepeating),
    onOff('random', status.isRandom),
    field('track', status.index === null ? 0 : status.index + 1),
    field('track_title', title || UNKNOWN),
    field('track_artist', artist || UNKNOWN),
    field('track_album', album || UNKNOWN),
  ]);
};

const commandNode = (field: FieldNode): ObjectNode =>
  objectNode([fieldNode('localplay', objectNode([fieldNode('command', objectNode([field]))]))]);

/** Answer to a command: whether the player accepted it. */
export const commandAnswer = (command: string, isAccepted: boolean): ObjectNode => commandNode(fieldNode(command, isAccepted, AS_CDATA));

/** Answer to the command `status`. */
export const statusAnswer = (view: PlayerView, version: number): ObjectNode => commandNode(fieldNode('status', statusNode(view, version)));
