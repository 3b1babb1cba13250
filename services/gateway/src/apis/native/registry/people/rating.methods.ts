import type { AnnotatedKind } from '@continuo/contracts';
import { z } from 'zod';
import { annotate, type Opinion } from '../../../../features/playback/annotate.js';
import { badValue, featureOff, notFound, oneOf } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { idOf, named, required, strictFlag } from '../../params.js';
import type { NativeResult } from '../../result.js';
import type { ApiVersion } from '../../versions/policy.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasClock, HasConfig, HasCommands } from '../../../../server/needs.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasStationTitles } from '../../../../features/live-stream/station-titles.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';
import { requireKind } from '../../require-kind.js';

type Services = HasReadModel & HasClock & HasCommands & HasConfig & HasLists & HasStationTitles & HasPreferences;
const { method } = methodsUsing<Services>({
  check: ({ services }) => {
    if (!services.config.RATINGS) throw featureOff('ratings');
  },
});

interface RateableType {
  readonly kind: AnnotatedKind;
  readonly since: ApiVersion;
}

/** Values of `type`, by the first version that has them. */
const types: Readonly<Record<string, RateableType>> = {
  song: { kind: 'song', since: 3 },
  album: { kind: 'album', since: 3 },
  album_disk: { kind: 'album_disk', since: 8 },
  artist: { kind: 'artist', since: 3 },
  collection: { kind: 'collection', since: 8 },
  folder: { kind: 'folder', since: 8 },
  live_stream: { kind: 'live_stream', since: 3 },
  stream: { kind: 'live_stream', since: 3 },
  playlist: { kind: 'playlist', since: 3 },
  podcast: { kind: 'podcast', since: 3 },
  podcast_episode: { kind: 'podcast_episode', since: 3 },
  search: { kind: 'search', since: 3 },
  smartlist: { kind: 'search', since: 3 },
  video: { kind: 'video', since: 3 },
};

const SMARTLIST = /^smart_/;

/** Object of `type` and `filter`; a playlist with a smartlist id is a smartlist. */
const objectOf = ({
  params,
  policy,
}: CallerCall<{ type: string; filter: string }, Services>): { kind: AnnotatedKind; id: number | undefined } => {
  const type = Object.hasOwn(types, params.type) ? types[params.type] : undefined;
  if (!type || type.since > policy.version)
    throw badValue('type', params.type, oneOf(Object.keys(types).filter((name) => (types[name]?.since ?? 0) <= policy.version)));
  const text = params.filter.trim();
  const lists = type.kind === 'playlist' || type.kind === 'search';
  return lists && SMARTLIST.test(text) ? { kind: 'search', id: idOf(text.replace(SMARTLIST, '')) } : { kind: type.kind, id: idOf(text) };
};

const say = async (
  call: CallerCall<{ type: string; filter: string }, Services>,
  opinion: Opinion,
  message: string,
): Promise<NativeResult> => {
  const { kind, id } = objectOf(call);
  requireKind(call, kind);
  const { absent } = id === undefined ? { absent: true } : await annotate(call, [{ kind, objectId: id }], opinion);
  if (absent) throw notFound('filter', call.params.filter);
  return { kind: 'success', message };
};

const rating = z
  .string()
  .refine((text) => /^\s*[0-5]\s*$/.test(text), 'must be 0 to 5')
  .transform(Number);

/** Epoch seconds; empty means now. */
const date = z
  .string()
  .refine((text) => /^\d{0,11}$/.test(text.trim()), 'must be a time in seconds since 1970')
  .transform((text) => (text.trim() === '' ? undefined : Number(text) * 1000))
  .optional();

// The older name wins when both are sent.
const aliases = { filter: ['id', 'filter'] };

/** Methods about ratings and favourites. */
export const ratingMethods = {
  rate: method({
    versions: [3, 4, 5, 6, 8],
    access: 5,
    aliases,
    params: z.object({ ...named, type: required, rating }),
    run: (call) => say(call, { rating: call.params.rating }, `rating set to ${call.params.rating} for ${call.params.filter}`),
  }),
  flag: method({
    versions: [4, 5, 6, 8],
    access: 5,
    aliases,
    // An invalid value must not remove a favourite.
    params: z.object({ ...named, type: required, flag: strictFlag, date }),
    run: (call) => {
      const { flag: flagged, filter, date: given } = call.params;
      // Favourites have a time from version 6 on, not in the future.
      const flaggedAtMs = given === undefined || call.policy.version < 6 ? undefined : Math.min(given, call.services.now());
      return say(call, { flagged, flaggedAtMs }, `flag ${flagged ? 'ADDED to' : 'REMOVED from'} ${filter}`);
    },
  }),
};
