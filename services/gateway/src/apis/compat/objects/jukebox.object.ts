import type { PlayerStatus } from '@continuo/contracts';
import type { QueueEntry } from '../../../features/localplay/queue-entries.js';
import { listNode } from '../../../render/node.js';
import { objectTable } from '../../../render/object-table.js';
import { formatId } from '../ids.js';
import { songChild } from './child.object.js';
import { borrowed, fieldsOf, type CompatField, OPTIONAL } from './fields.js';
import { episodeChild } from './podcast.object.js';
import { videoChild } from './video.object.js';

const MS_PER_SECOND = 1000;
const of = fieldsOf<PlayerStatus>();

/** Jukebox status (schema type JukeboxStatus). The gain is a fraction. */
export const jukeboxStatus = objectTable<PlayerStatus, undefined>('jukeboxStatus', [
  of.int('currentIndex', ({ index }) => index ?? -1),
  of.bool('playing', ({ state }) => state === 'play'),
  of.num('gain', ({ volumePercent }) => (volumePercent ?? 100) / 100),
  of.int('position', ({ positionMs }) => Math.floor(positionMs / MS_PER_SECOND)),
]);

const UNKNOWN = 'Unknown';
const nobody = fieldsOf<QueueEntry>();

const titleOf = (thing: QueueEntry): string => {
  if (thing.kind === 'democratic') return 'Democratic playlist';
  if (thing.kind === 'live_stream') return thing.station.name;
  return (thing.kind === 'foreign' && thing.entry.title) || UNKNOWN;
};

/** An entry that is foreign or not visible to the caller. It keeps its index, which clients use; its id is 0. */
const otherChild = objectTable<QueueEntry, undefined>('other', [
  nobody.text('id', (thing) => (thing.kind === 'live_stream' ? formatId('station', thing.station.id) : formatId('song', 0))),
  nobody.bool('isDir', () => false),
  nobody.text('title', titleOf),
  nobody.text('artist', (thing) => (thing.kind === 'foreign' ? thing.entry.artist || undefined : undefined), OPTIONAL),
  nobody.text('album', (thing) => (thing.kind === 'foreign' ? thing.entry.album || undefined : undefined), OPTIONAL),
]);

/** Jukebox status with the queue. */
export interface Jukebox {
  readonly status: PlayerStatus;
  readonly things: readonly QueueEntry[];
}

type One = CompatField<QueueEntry>;
const one = fieldsOf<QueueEntry>();
const asSong: One = one.many('entry', songChild, (thing) => (thing.kind === 'song' ? [thing.song] : []));
const asVideo: One = one.many('entry', videoChild, (thing) => (thing.kind === 'video' ? [thing.video] : []));
const asEpisode: One = one.many('entry', episodeChild, (thing) => (thing.kind === 'podcast_episode' ? [thing.episode] : []));
const asOther: One = one.many('entry', otherChild, (thing) => [thing]);

/** Selects the field by the kind of the entry. */
const byKind =
  <T>(fields: Readonly<Record<'song' | 'video' | 'podcast_episode' | 'other', T>>): ((thing: QueueEntry) => T) =>
  ({ kind }) =>
    kind === 'song' || kind === 'video' || kind === 'podcast_episode' ? fields[kind] : fields.other;

/** The queue in order. */
const entries: CompatField<Jukebox> = {
  ...asOther,
  scalar: undefined,
  build: ({ things }, context, profile) => {
    const field = byKind({ song: asSong, video: asVideo, podcast_episode: asEpisode, other: asOther });
    const nodes = things.map((thing) => field(thing).build(thing, context, profile));
    return listNode(nodes.flatMap((node) => (node !== null && typeof node === 'object' && node.kind === 'list' ? node.items : [])));
  },
  json: (profile) => {
    const text = byKind({
      song: asSong.json(profile),
      video: asVideo.json(profile),
      podcast_episode: asEpisode.json(profile),
      other: asOther.json(profile),
    });
    return ({ things }, context) => `[${things.map((thing) => text(thing)(thing, context)?.slice(1, -1)).join(',')}]`;
  },
  xml: (profile, style) => {
    const text = byKind({
      song: asSong.xml(profile, style),
      video: asVideo.xml(profile, style),
      podcast_episode: asEpisode.xml(profile, style),
      other: asOther.xml(profile, style),
    });
    return ({ things }, context) => things.map((thing) => text(thing)(thing, context)).join('');
  },
};

/** The jukebox with its queue (schema type JukeboxPlaylist). */
export const jukeboxPlaylist = objectTable<Jukebox, undefined>('jukeboxPlaylist', [
  ...jukeboxStatus.rows.map((row) => borrowed(row, ({ status }: Jukebox) => status)),
  entries,
]);
