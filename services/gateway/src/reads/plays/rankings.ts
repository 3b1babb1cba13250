import { sql } from 'kysely';
import type { ReadDatabase } from '../database/database.js';
import { IdList, parseIds } from '../lists/id-list.js';
import { ListCache, unheard, type CacheListener } from '../lists/list-cache.js';
import { isMedia, rankingStatement, type RankedKind, type RankingQuery } from './ranking-statement.js';
import type { Viewer } from '../visibility/viewer.js';

export type { RankedKind, Ranking, RankingQuery } from './ranking-statement.js';

/** A ranking that took longer than this to make is given as it was while it is made anew. */
const CHEAP_MS = 150;
/** But never older than this. */
const STALE_MS = 120_000;
/** The window of recent plays moves on, so that a ranking of it is never kept for longer. */
const WINDOW_STEP_MS = 60_000;

/** Equal texts mean equal plays of equal songs: each play has a place in the log, and so has what turns one into a skip. */
const playsVersion = async (db: ReadDatabase): Promise<string> => {
  const { rows } = await sql<{ version: string | null }>`
    select coalesce((select max(id) from playback.play), 0) || ' ' || coalesce((select max(position) from playback.plays_cleared), 0) || ' '
      || (select string_agg(kind || ':' || version, ',' order by kind) from library.counter where catalog_id = 0 and kind in ('song', 'album', 'artist')) as version
  `.execute(db);
  return rows[0]?.version ?? '';
};

/** Kinds whose listed things change with the counters of the catalogue alone. */
const COUNTED: readonly RankedKind[] = ['song', 'album', 'album_disk', 'artist'];

/** Equal texts mean equal averages of equal things; undefined when nothing tells. */
const averagesVersion = async (db: ReadDatabase, kind: RankedKind): Promise<string | undefined> => {
  if (!COUNTED.includes(kind)) return undefined;
  const { rows } = await sql<{ version: string | null }>`
    select position || ' ' || (select string_agg(kind || ':' || version, ',' order by kind) from library.counter where catalog_id = 0) as version
    from social.rating_version where kind = ${kind}`.execute(db);
  return rows[0]?.version ?? undefined;
};

/** Gives things in the order of what was played, rated or made a favourite. */
export class Rankings {
  private readonly cache: ListCache;

  constructor(
    private readonly db: ReadDatabase,
    cacheBytes: number,
    private readonly listener: CacheListener,
  ) {
    this.cache = new ListCache(cacheBytes);
  }

  /** The ids of a ranking, the first first. */
  async ids(query: RankingQuery, viewer: Viewer): Promise<IdList> {
    // What one person likes and rates is little, and so are plays of videos and episodes: it is read each time.
    const isAverage = query.ranking === 'highest' && query.userId === undefined;
    const isLittle = query.ranking === 'flagged' || (query.ranking === 'highest' ? !isAverage : isMedia(query.kind));
    if (isLittle) return this.load(query, viewer);
    const averages = isAverage ? await averagesVersion(this.db, query.kind) : undefined;
    if (isAverage && averages === undefined) return this.load(query, viewer);
    const stepped =
      query.sinceMs === undefined ? query : { ...query, sinceMs: Math.floor(query.sinceMs / WINDOW_STEP_MS) * WINDOW_STEP_MS };
    const version = averages ?? `${await playsVersion(this.db)} ${stepped.sinceMs ?? ''}`;
    const key = JSON.stringify([viewer.catalogs, query.kind, query.ranking, query.userId]);
    const known = this.cache.known(key);
    if (known?.version === version) {
      this.listener.onLookup?.('hit');
      return known.list;
    }
    const made = this.cache.make(key, version, () => this.load(stepped, viewer));
    if (!known || known.tookMs < CHEAP_MS || performance.now() - known.madeAtMs > STALE_MS) {
      this.listener.onLookup?.('miss');
      return made;
    }
    this.listener.onLookup?.('stale');
    // Whoever awaits it next sees its failure; this caller has an answer already.
    made.catch(this.listener.onFailure ?? unheard);
    return known.list;
  }

  private async load(query: RankingQuery, viewer: Viewer): Promise<IdList> {
    const { rows } = await rankingStatement(query, viewer).execute(this.db);
    return new IdList(parseIds(rows[0]?.ids ?? null));
  }
}

/**
 * Rankings that are kept by the version of the plays, or of the averages of ratings: on a small server each play and rating shows at once, on one where a ranking takes long to make it
 * shows within two minutes, and nobody but the first caller waits for one.
 */
export const createRankings = (db: ReadDatabase, cacheBytes: number, listener: CacheListener = {}): Rankings =>
  new Rankings(db, cacheBytes, listener);

/** Uses rankings by plays, ratings and favourites. */
export interface HasRankings {
  readonly rankings: Rankings;
}
