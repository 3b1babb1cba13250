import { z } from 'zod';
import { IdList } from '../../../../reads/lists/id-list.js';
import { IdSet } from '../../../../reads/database/id-set.js';
import { filterIds } from '../../../../reads/lists/overlay-order.js';
import { listDefinitions } from '../../../../kinds/index.js';
import { knowsSort } from '../../../../reads/lists/list-query.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { RankedKind, Ranking, HasRankings } from '../../../../reads/plays/rankings.js';
import { userByIdOrName } from '../../../../reads/people/users.reads.js';
import { badValue, missing, NativeRefusal, notFound, oneOf } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { by, idsOfPage, listQuery } from '../../paging.js';
import { cond, offset, optional, positions, sort } from '../../params.js';
import type { NativeResult } from '../../result.js';
import type { ApiVersion } from '../../versions/policy.js';
import { pageOf, type TypeServices } from '../lists/native-types.js';
import type { HasClock } from '../../../../server/needs.js';
import { requireKind } from '../../require-kind.js';

type Services = TypeServices & HasLists & HasClock & HasRankings;
const { method } = methodsUsing<Services>();

const DAY_MS = 86_400_000;

const statsParams = z.object({
  type: optional,
  filter: optional,
  user_id: optional,
  username: optional,
  offset,
  limit: optional,
  positions,
  cond,
  sort,
});
type StatsCall = CallerCall<z.output<typeof statsParams>, Services>;

/** Modes with a ranking; `newest` and `random` sort the whole list. */
const rankings = ['frequent', 'recent', 'forgotten', 'highest', 'flagged'] as const satisfies readonly Ranking[];
type Mode = (typeof rankings)[number] | 'newest' | 'random';
/** Orders of statistics. */
export const modes: readonly string[] = [...rankings, 'newest', 'random'];
const isMode = (text: string): text is Mode => modes.includes(text);
const isRanking = (mode: Mode): mode is (typeof rankings)[number] => mode !== 'newest' && mode !== 'random';

const kinds: Readonly<Record<RankedKind, ApiVersion>> = {
  song: 4,
  album: 4,
  artist: 4,
  album_disk: 8,
  video: 5,
  playlist: 5,
  podcast: 5,
  podcast_episode: 5,
};

/** Requested kind and mode: in version 3 the type is a mode of albums; version 4 accepts both. */
const requestedRanking = (call: StatsCall): { kind: RankedKind; mode: Mode } => {
  const { params, policy } = call;
  const type = (params.type ?? '').trim().toLowerCase();
  const filter = (params.filter ?? '').trim().toLowerCase();
  if (policy.version <= 4 && isMode(type)) return { kind: 'album', mode: type };
  if (policy.version === 3) return { kind: 'album', mode: isMode(filter) ? filter : 'random' };
  if (params.type === undefined) throw missing('type');
  if (policy.version === 4 && params.filter === undefined) throw missing('filter');
  if (!Object.hasOwn(kinds, type) || kinds[type as RankedKind] > policy.version)
    throw badValue('type', params.type, oneOf(Object.keys(kinds).filter((kind) => kinds[kind as RankedKind] <= policy.version)));
  requireKind(call, type);
  return { kind: type as RankedKind, mode: isMode(filter) ? filter : 'random' };
};

/** Account of the statistics; undefined for all accounts. */
const listenerOf = async ({ params, services }: StatsCall): Promise<number | undefined> => {
  const named = (['user_id', 'username'] as const).find((name) => (params[name] ?? '').trim() !== '');
  if (named === undefined) return undefined;
  const user = await userByIdOrName(services.db, (params[named] ?? '').trim());
  if (!user) throw notFound(named, params[named] ?? '');
  return user.id;
};

/** Sort fields of `newest` for kinds that are not sorted by addition; podcast ids are in that order. */
const newestBy: Readonly<Partial<Record<RankedKind, string>>> = { playlist: 'date', podcast: 'id', podcast_episode: 'pubdate' };

const chosen = async (call: StatsCall, kind: RankedKind, mode: Mode): Promise<IdList> => {
  const { services, viewer } = call;
  const userId = await listenerOf(call);
  if (!isRanking(mode)) {
    const order = mode === 'random' ? by('rand') : { name: newestBy[kind] ?? 'addition_time', descending: true };
    return services.lists.ids({ kind, where: [], sort: order }, viewer);
  }
  const days = (await services.preferences.current()).numberOf(viewer.userId, 'stats_threshold');
  const sinceMs = services.now() - Math.max(days, 0) * DAY_MS;
  const more = { ...(userId === undefined ? {} : { userId }), ...(mode === 'frequent' ? { sinceMs } : {}) };
  return services.rankings.ids({ kind, ranking: mode, ...more }, viewer);
};

/** Page size: the account's preference by default, no limit for -1 or `none`. */
const limitOf = async ({ params, services, viewer }: StatsCall): Promise<number | undefined> => {
  const text = params.limit?.trim().toLowerCase() ?? '';
  if (text === 'none' || text === '-1') return undefined;
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text);
  return Math.max((await services.preferences.current()).numberOf(viewer.userId, 'popular_threshold'), 1);
};

/** Applies `cond` and `sort` within the chosen page. */
const filterAndSort = async (call: StatsCall, kind: RankedKind, page: Int32Array): Promise<IdList> => {
  const { params, services, viewer } = call;
  const order = params.sort && knowsSort(listDefinitions[kind], params.sort.name) ? params.sort : undefined;
  const query = listQuery(kind, { offset: 0, limit: undefined, cond: params.cond }, [], order ?? by('id'));
  const list = await services.lists.ids(query, viewer);
  return new IdList(order ? filterIds(list.ids, new IdSet(page), true) : filterIds(page, new IdSet(list.ids), true));
};

const stats = async (call: StatsCall): Promise<NativeResult> => {
  const { kind, mode } = requestedRanking(call);
  const list = await chosen(call, kind, mode);
  const page = { offset: call.params.offset, limit: await limitOf(call), positions: call.params.positions };
  // Version 4 has an error instead of an empty list.
  if (call.policy.version === 4 && idsOfPage(list, page).length === 0) throw new NativeRefusal(4704, 'filter', 'No Results');
  const arranges = call.policy.version >= 6 && (call.params.cond.length > 0 || call.params.sort !== undefined);
  if (!arranges) return pageOf({ ...call, params: page }, kind, list);
  const thinned = await filterAndSort(call, kind, idsOfPage(list, page));
  return pageOf({ ...call, params: { offset: 0, limit: undefined } }, kind, thinned);
};

/** Method for the most, latest or least played, rated and flagged objects. */
export const statisticsMethods = {
  stats: method({ versions: [3, 4, 5, 6, 8], access: 5, params: statsParams, run: stats }),
};
