import { Rejection } from '@continuo/contracts';
import { sql } from 'kysely';
import { ConcurrencyLimiter } from '../../server/concurrency-limiter.js';
import { runBounded, sqlStateOf, isOutOfMemory } from '../database/bounded-statement.js';
import type { ReadDatabase } from '../database/database.js';
import { IdList, parseIds } from './id-list.js';
import { IdSet } from '../database/id-set.js';
import { ListCache, type CacheListener } from './list-cache.js';
import { filterOf, RANDOM, sortOf, type ListDefinition, type ListQuery, type Overlay } from './list-query.js';
import { gathered, idsStatement, type IdsStatement } from './list-statement.js';
import { negativeIdsFirst, orderedByOverlay, filterIds } from './overlay-order.js';
import type { Viewer } from '../visibility/viewer.js';

/** Gives the ordered ids of a list, from which a page is cut. `K` are the names of the lists. */
export interface Lists<K extends string = string> {
  /**
   * The ids of everything that matches, in order.
   * @throws Rejection `input.invalid` for a regular expression that is none, or that takes too long
   */
  ids(query: ListQuery<K>, viewer: Viewer): Promise<IdList>;
}

/** Definitions of lists by the names that queries give. */
export type ListDefinitions<K extends string = string> = Readonly<Record<K, ListDefinition>>;

/** Timeout of statements whose cost the client chooses. */
const BOUNDED_MS = 5000;
/** So many of them at the same time: others wait, so that connections are left for everybody else. */
export const BOUNDED_AT_ONCE = 2;
/** Marks beyond this number are kept until they change; fewer are read for each list. */
const MANY_MARKS = 20_000;
/** Things asked for by fewer marks than this are looked up one by one; for more, the kept list of all is filtered. */
const FEW_MARKS = 2000;
/** A play that turns into a skip leaves no trace in the version, so that kept marks are also made anew after this time. */
const MARKS_KEPT_MS = 10_000;

/** Versions of the data behind lists. */
export interface Versions {
  readonly catalogue: string;
  readonly plays: string;
}

/**
 * Reads the versions of the data behind lists. Equal texts mean equal lists: the catalogue's counters move with every change of songs, albums, artists and genres;
 * plays have positions in the log, and so has what forgets them.
 */
export const readVersions = async (db: ReadDatabase, withPlays: boolean): Promise<Versions> => {
  const plays = withPlays
    ? sql`concat((select max(p.id) from playback.play p), ' ', (select max(c.position) from playback.plays_cleared c))`
    : sql`''`;
  const { rows } = await sql<{ counters: string | null; catalogs: string | null; plays: string | null }>`
    select (select string_agg(kind || ':' || catalog_id || ':' || total || ':' || version, ',' order by kind, catalog_id)
        from (select kind, catalog_id, total, version from library.counter union all select kind, catalog_id, total, version from library.video_counter
          union all select kind, catalog_id, total, version from library.podcast_counter) n) as counters,
      (select string_agg(c.id || ':' || c.enabled || ':' || c.name || ':' || c.path, ',' order by c.id) from library.catalog c) as catalogs, ${plays} as plays
  `.execute(db);
  return { catalogue: `${rows[0]?.counters ?? ''} ${rows[0]?.catalogs ?? ''}`, plays: rows[0]?.plays ?? '' };
};

const CANCELLED = '57014';
const NO_REGEX = '2201B';

const asRefusal = (error: unknown): unknown => {
  const state = sqlStateOf(error);
  if (state === CANCELLED) return new Rejection('input.invalid', 'the regular expression takes too long', 'cond', { cause: error });
  if (state === NO_REGEX) return new Rejection('input.invalid', 'not a regular expression', 'cond', { cause: error });
  if (isOutOfMemory(error)) return new Rejection('input.invalid', 'the regular expression is too complex', 'cond', { cause: error });
  return error;
};

/** Runs a statement with an expression of the client's. */
const runFiltered = async (db: ReadDatabase, statement: IdsStatement, limitMs: number): Promise<{ ids: string | null }[]> => {
  try {
    return await runBounded(db, statement, limitMs);
  } catch (error) {
    throw asRefusal(error);
  }
};

/** A query taken apart: what the catalogue answers, and the marks that lie over it. */
const takenApart = <K extends string>(list: ListDefinition, query: ListQuery<K>, viewer: Viewer) => {
  const order = sortOf(list, query.sort.name)?.overlay?.(viewer);
  const plain: ListQuery<K> = {
    kind: query.kind,
    where: query.where.filter(({ name }) => filterOf(list, name)?.where),
    sort: order ? { name: 'id', descending: false } : query.sort,
  };
  const filters = query.where.flatMap(({ name, value }) => filterOf(list, name)?.overlay?.(value, viewer) ?? []);
  return { plain, filters, order };
};

class CachedLists<K extends string> implements Lists<K> {
  private readonly boundedLimiter = new ConcurrencyLimiter(BOUNDED_AT_ONCE);

  constructor(
    private readonly db: ReadDatabase,
    private readonly definitions: ListDefinitions<K>,
    private readonly cache: ListCache,
    private readonly boundedMs: number,
  ) {}

  async ids(query: ListQuery<K>, viewer: Viewer): Promise<IdList> {
    if (query.sort.name === RANDOM) return (await this.ids({ ...query, sort: { name: 'id', descending: false } }, viewer)).shuffled();
    const { plain, filters, order } = takenApart(this.definitions[query.kind], query, viewer);
    const overlays = [...filters.map(({ overlay }) => overlay), ...(order ? [order] : [])];
    const versions = await readVersions(
      this.db,
      overlays.some(({ changesWith }) => changesWith === 'plays'),
    );
    if (overlays.length === 0) return this.plainList(plain, viewer, versions);
    const marks = await Promise.all(overlays.map((overlay) => this.marks(overlay, versions)));
    const sieves = filters.map(({ keep }, index) => ({ keep, list: marks[index] as IdList }));
    const few = sieves.find(({ keep, list }) => keep && list.total <= FEW_MARKS)?.list;
    const base = few ? await this.load(plain, viewer, few.ids) : await this.plainList(plain, viewer, versions);
    const make = (): IdList => {
      const listed = sieves.reduce((ids, { keep, list }) => filterIds(ids, new IdSet(list.ids), keep), base.ids);
      const ordered = order ? orderedByOverlay(listed, (marks.at(-1) as IdList).ids, query.sort.descending) : listed;
      return new IdList(order && this.definitions[query.kind].negativeFirst ? negativeIdsFirst(ordered) : ordered, undefined, base.spell);
    };
    if (few) return make();
    // The hash of what is small says whether it is the same; what is large is kept and the same until it is made anew.
    const version = [base.serial, ...marks.map((list) => (list.total < MANY_MARKS ? list.md5 : list.serial))].join(' ');
    return this.cache.get(JSON.stringify(['marked', viewer, query]), version, async () => make(), true);
  }

  private async plainList(query: ListQuery<K>, viewer: Viewer, { catalogue }: Versions): Promise<IdList> {
    if (this.definitions[query.kind].volatile) return this.load(query, viewer);
    return this.cache.get(JSON.stringify([viewer.catalogs, query]), catalogue, () => this.load(query, viewer));
  }

  private async load(query: ListQuery<K>, viewer: Viewer, among?: Int32Array): Promise<IdList> {
    const list = this.definitions[query.kind];
    const statement = idsStatement(list, query, viewer, among);
    const isBounded = query.where.some(({ name }) => filterOf(list, name)?.bounded);
    const rows = isBounded
      ? await this.boundedLimiter.run(() => runFiltered(this.db, statement, this.boundedMs))
      : (await statement.execute(this.db)).rows;
    return new IdList(parseIds(rows[0]?.ids ?? null), undefined, list.spell);
  }

  private async marks(overlay: Overlay, { catalogue, plays }: Versions): Promise<IdList> {
    const read = async () => new IdList(parseIds((await gathered(overlay.ids).execute(this.db)).rows[0]?.ids ?? null));
    if (!overlay.changesWith) return read();
    const key = `marks ${overlay.key}`;
    const known = this.cache.peek(key);
    if (known && known.total < MANY_MARKS && !overlay.isCostly)
      return this.cache.get(key, `${known.serial} ${catalogue} ${plays}`, read, true);
    const period = Math.floor(performance.now() / MARKS_KEPT_MS);
    return this.cache.get(key, `${catalogue} ${plays} ${period}`, read);
  }
}

/**
 * Lists whose ids are kept by list and catalogue version: the page after the first costs one small statement, and neither the count nor the
 * content hash ever costs a scan of its own. What a viewer may see is part of what lists are kept by.
 */
export const createLists = <K extends string>(
  db: ReadDatabase,
  definitions: ListDefinitions<K>,
  cacheBytes: number,
  { boundedMs = BOUNDED_MS, ...listener }: CacheListener & { readonly boundedMs?: number } = {},
): Lists<K> => new CachedLists(db, definitions, new ListCache(cacheBytes, listener), boundedMs);
