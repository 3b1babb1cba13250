import { LRUCache } from 'lru-cache';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { albumList } from './album-list.js';
import { artistList } from './artist-list.js';
import type { ReadDatabase } from './database.js';
import { IdList, parseIds } from './id-list.js';
import type { ListDefinition, ListKind, ListQuery } from './list-query.js';
import { catalogList, genreList, userList } from './small-lists.js';
import { songList } from './song-list.js';
import type { Viewer } from './viewer.js';

const definitions: Readonly<Record<ListKind, ListDefinition>> = {
  song: songList,
  album: albumList,
  artist: artistList,
  genre: genreList,
  catalog: catalogList,
  user: userList,
};

/** What an entry of the cache costs beside its ids. */
const ENTRY_BYTES = 200;

/** The order that is another one each time; every kind knows it, and none of them asks the database for it. */
const RANDOM = 'rand';

/** True for an order that lists of this kind know. */
export const knowsSort = (kind: ListKind, name: string): boolean => name === RANDOM || Object.hasOwn(definitions[kind].sorts, name);

/** Gives the ordered ids of a list, from which a page is cut. */
export interface Lists {
  /** The ids of everything that matches, in order. */
  ids(query: ListQuery, viewer: Viewer): Promise<IdList>;
}

const conditionsOf = (definition: ListDefinition, query: ListQuery, viewer: Viewer): RawBuilder<SqlBool>[] =>
  query.where.flatMap(({ name, value }) => {
    const row = Object.hasOwn(definition.filters, name) ? definition.filters[name] : undefined;
    return row?.where(value, viewer) ?? [];
  });

/** The statement that lists the ids: one value, because a million rows cost more than one array. */
export const idsStatement = (query: ListQuery, viewer: Viewer): RawBuilder<{ ids: string | null }> => {
  const definition = definitions[query.kind];
  const sort = Object.hasOwn(definition.sorts, query.sort.name) ? definition.sorts[query.sort.name] : undefined;
  const direction = query.sort.descending ? sql`desc` : sql`asc`;
  const where = sql.join([definition.base(viewer), ...conditionsOf(definition, query, viewer)], sql` and `);
  const order = sql.join(
    [...(sort?.columns ?? []), sql`t.id`].map((column) => sql`${column} ${direction}`),
    sql`, `,
  );
  const join = (sort && definition.joins?.[query.sort.name]) ?? sql``;
  return sql<{
    ids: string | null;
  }>`select array_agg(x.id)::text as ids from (select t.id from ${definition.from} ${join} where ${where} order by ${order}) x`;
};

const isVolatile = (query: ListQuery): boolean => {
  const definition = definitions[query.kind];
  const filters = query.where.some(({ name }) => Object.hasOwn(definition.filters, name) && definition.filters[name]?.volatile === true);
  const sort = Object.hasOwn(definition.sorts, query.sort.name) && definition.sorts[query.sort.name]?.volatile === true;
  return definition.volatile === true || filters || sort;
};

/** Equal texts mean equal lists: the catalogue's counters move with every change of songs, albums, artists and genres. */
const catalogueVersion = async (db: ReadDatabase): Promise<string> => {
  const { rows } = await sql<{ version: string | null }>`
    select string_agg(kind || ':' || catalog_id || ':' || total || ':' || version, ',' order by kind, catalog_id) as version from library.counter
  `.execute(db);
  return rows[0]?.version ?? '';
};

/** A list of more ids than this is served as it was while it is made anew: making it takes longer than anybody should wait. */
const LONG_LIST = 100_000;
/** But it is never older than this. */
const STALE_MS = 10_000;

interface KeptList {
  readonly list: IdList;
  readonly version: string;
  readonly madeAtMs: number;
}

/** Keeps id lists by what was asked, and makes each of them once at a time. */
class ListCache {
  private readonly kept: LRUCache<string, KeptList>;
  private readonly making = new Map<string, Promise<IdList>>();

  constructor(maxBytes: number) {
    this.kept = new LRUCache({
      maxSize: Math.max(1, maxBytes),
      sizeCalculation: ({ list }, key) => list.sizeBytes + key.length * 2 + ENTRY_BYTES,
    });
  }

  async get(key: string, version: string, make: () => Promise<IdList>): Promise<IdList> {
    const known = this.kept.get(key);
    if (known?.version === version) return known.list;
    const made = this.making.get(`${version} ${key}`) ?? this.makeAndKeep(key, version, make);
    if (!known || known.list.total < LONG_LIST || performance.now() - known.madeAtMs > STALE_MS) return made;
    // Whoever awaits it next sees its failure; this caller has an answer already.
    made.catch(() => undefined);
    return known.list;
  }

  private makeAndKeep(key: string, version: string, make: () => Promise<IdList>): Promise<IdList> {
    const entry = `${version} ${key}`;
    const making = (async () => {
      try {
        const list = await make();
        this.kept.set(key, { list, version, madeAtMs: performance.now() });
        return list;
      } finally {
        this.making.delete(entry);
      }
    })();
    this.making.set(entry, making);
    return making;
  }
}

/**
 * Lists whose ids are kept by list and catalogue version: the page after the first costs one small statement, and neither the count nor the
 * content hash (choices.md rows 2 and 3) ever costs a scan of its own.
 */
export const createLists = (db: ReadDatabase, cacheBytes: number): Lists => {
  const cache = new ListCache(cacheBytes);
  const load = async (query: ListQuery, viewer: Viewer): Promise<IdList> => {
    const { rows } = await idsStatement(query, viewer).execute(db);
    return new IdList(parseIds(rows[0]?.ids ?? null));
  };
  const ids = async (query: ListQuery, viewer: Viewer): Promise<IdList> => {
    if (query.sort.name === RANDOM) return (await ids({ ...query, sort: { name: 'id', descending: false } }, viewer)).shuffled();
    if (isVolatile(query)) return load(query, viewer);
    const version = await catalogueVersion(db);
    return cache.get(JSON.stringify([viewer.catalogs, query]), version, () => load(query, viewer));
  };
  return { ids };
};
