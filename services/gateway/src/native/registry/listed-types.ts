import type { Relation } from '../../reads/children.reads.js';
import type { Condition } from '../../reads/list-query.js';
import type { NamedKind } from '../../reads/names.reads.js';
import { badValue, featureOff } from '../errors/native-fault.js';
import type { CallerCall } from '../method.js';
import { requireLiveStreams } from './live-stream.methods.js';
import { requirePodcasts } from './podcast.methods.js';
import { requireVideos } from './video.methods.js';

/** What `index`, `list` and `get_indexes` know of a type (browse.md, `list and index`). */
export interface ListedType {
  /** The list behind it, and what its objects are called where the type itself is only a role of them. */
  readonly kind: NamedKind;
  /** What makes the list the type's. */
  readonly own: readonly Condition[];
  /** Oldest version that has the type. */
  readonly since: number;
  /** What `include` shows of each object in an index, and of which kind that is. */
  readonly children?: { readonly relation: Relation; readonly kind: 'album' | 'song' | 'podcast_episode' };
}

const role = (name: string): readonly Condition[] => [{ name, value: '1' }];
const albums = (relation: Relation): ListedType['children'] => ({ relation, kind: 'album' });
const songs = (relation: Relation): ListedType['children'] => ({ relation, kind: 'song' });

const types = {
  song: { kind: 'song', own: [], since: 4 },
  album: { kind: 'album', own: [], since: 4, children: songs('album-songs') },
  album_disk: { kind: 'album_disk', own: [], since: 8, children: songs('album_disk-songs') },
  artist: { kind: 'artist', own: [], since: 4, children: albums('artist-albums') },
  album_artist: { kind: 'artist', own: role('album_artist'), since: 4, children: albums('album_artist-albums') },
  song_artist: { kind: 'artist', own: role('song_artist'), since: 4, children: albums('song_artist-albums') },
  catalog: { kind: 'catalog', own: [], since: 4 },
  video: { kind: 'video', own: [], since: 4 },
  share: { kind: 'share', own: [], since: 4 },
  live_stream: { kind: 'live_stream', own: [], since: 4 },
  podcast: { kind: 'podcast', own: [], since: 4, children: { relation: 'podcast-podcast_episodes', kind: 'podcast_episode' } },
  podcast_episode: { kind: 'podcast_episode', own: [], since: 4 },
  // Without smartlists where the caller wants none, see `listScope`.
  playlist: { kind: 'playlist_search', own: [], since: 4, children: songs('playlist-songs') },
} as const satisfies Record<string, ListedType>;

/** Kinds of media whose catalogs are shown in a walk. */
export const walkedMedia = ({ services }: Pick<CallerCall<unknown>, 'services'>): readonly string[] => [
  'music',
  ...(services.config.ALLOW_VIDEO ? ['video'] : []),
  ...(services.config.PODCAST ? ['podcast'] : []),
];

/** Refuses the media of a catalog whose feature is off. @throws NativeRefusal 4703 */
export const requireWalked = (call: Pick<CallerCall<unknown>, 'services'>, gatherTypes: string): void => {
  if (!walkedMedia(call).includes(gatherTypes)) throw featureOff(gatherTypes);
};

/** A type as it was asked for. */
export interface NamedType extends ListedType {
  readonly name: string;
}

/**
 * The type that a parameter names, whatever its case.
 * @throws NativeRefusal 4703 for one whose feature is off, 4710 for one that the version does not have
 */
export const listedType = ({ policy, services }: Pick<CallerCall<unknown>, 'policy' | 'services'>, text: string): NamedType => {
  const name = text.trim().toLowerCase();
  if (name === 'video') requireVideos({ services });
  if (name === 'live_stream') requireLiveStreams({ services });
  if (name === 'podcast' || name === 'podcast_episode') requirePodcasts({ services });
  const type: ListedType | undefined = Object.hasOwn(types, name) ? types[name as keyof typeof types] : undefined;
  if (!type || type.since > policy.version) throw badValue('type', text);
  return { ...type, name };
};
