import type { AnnotatedKind } from '@continuo/contracts';
import { z } from 'zod';
import { annotate, type Opinion } from '../../annotations/annotate.js';
import { badValue, featureOff, notFound } from '../errors/native-fault.js';
import { method, type CallerCall, type CallerRow } from '../method.js';
import { idOf, required } from '../params.js';
import type { NativeResult } from '../result.js';
import type { ApiVersion } from '../versions/policy.js';
import { requireLiveStreams } from './live-stream.methods.js';
import { requirePodcasts } from './podcast.methods.js';
import { requireVideos } from './video.methods.js';

interface RateableType {
  readonly kind: AnnotatedKind;
  readonly since: ApiVersion;
}

/** What the parameter `type` may say; kinds that older versions have no ids for are younger. */
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

/** The kind and the id that `type` and `filter` name; a playlist with a smartlist's id is one. */
const objectOf = ({ params, policy }: CallerCall<{ type: string; filter: string }>): { kind: AnnotatedKind; id: number | undefined } => {
  const type = Object.hasOwn(types, params.type) ? types[params.type] : undefined;
  if (!type || type.since > policy.version) throw badValue('type', params.type);
  const text = params.filter.trim();
  const lists = type.kind === 'playlist' || type.kind === 'search';
  return lists && SMARTLIST.test(text) ? { kind: 'search', id: idOf(text.replace(SMARTLIST, '')) } : { kind: type.kind, id: idOf(text) };
};

const say = async (call: CallerCall<{ type: string; filter: string }>, opinion: Opinion, message: string): Promise<NativeResult> => {
  const { kind, id } = objectOf(call);
  if (kind === 'video') requireVideos(call);
  if (kind === 'live_stream') requireLiveStreams(call);
  if (kind === 'podcast' || kind === 'podcast_episode') requirePodcasts(call);
  const annotator = { services: call.services, context: call.request, viewer: call.viewer };
  const { absent } = id === undefined ? { absent: true } : await annotate(annotator, [{ kind, objectId: id }], opinion);
  if (absent) throw notFound('filter', call.params.filter);
  return { kind: 'success', message };
};

const rating = z.string().transform((text, context) => {
  if (/^\s*[0-5]\s*$/.test(text)) return Number(text);
  context.addIssue({ code: 'custom', message: 'not a rating' });
  return z.NEVER;
});

const YES = ['1', 'true', 'yes', 'on'];
const NO = ['0', 'false', 'no', 'off'];
/** Unlike a switch of a list, what is neither yes nor no must not count as no here: it would take a favourite away. */
const yesOrNo = z.string().transform((text, context) => {
  const given = text.trim().toLowerCase();
  if (YES.includes(given) || NO.includes(given)) return YES.includes(given);
  context.addIssue({ code: 'custom', message: 'neither yes nor no' });
  return z.NEVER;
});

/** Epoch seconds; empty means now. */
const date = z
  .string()
  .optional()
  .transform((text, context) => {
    const given = text?.trim() ?? '';
    if (given === '') return undefined;
    if (/^\d{1,11}$/.test(given)) return Number(given) * 1000;
    context.addIssue({ code: 'custom', message: 'not a time' });
    return z.NEVER;
  });

/** Looks at the switch before the parameters (native README section 5). */
const gated = (row: CallerRow): CallerRow => ({
  ...row,
  invoke: (raw, call) => {
    if (!call.services.config.RATINGS) throw featureOff('ratings');
    return row.invoke(raw, call);
  },
});

// The older name wins where both are sent (methods.json).
const aliases = { filter: ['id', 'filter'] };

/** Methods by which users say what they think of things. */
export const ratingMethods = {
  rate: gated(
    method({
      versions: [3, 4, 5, 6, 8],
      access: 5,
      aliases,
      params: z.object({ filter: required, type: required, rating }),
      run: (call) => say(call, { rating: call.params.rating }, `rating set to ${call.params.rating} for ${call.params.filter}`),
    }),
  ),
  flag: gated(
    method({
      versions: [4, 5, 6, 8],
      access: 5,
      aliases,
      params: z.object({ filter: required, type: required, flag: yesOrNo, date }),
      run: (call) => {
        const { flag: flagged, filter, date: given } = call.params;
        // Favourites have a time of their own from version 6 on, and none in the future.
        const flaggedAtMs = given === undefined || call.policy.version < 6 ? undefined : Math.min(given, call.services.now());
        return say(call, { flagged, flaggedAtMs }, `flag ${flagged ? 'ADDED to' : 'REMOVED from'} ${filter}`);
      },
    }),
  ),
};
