import { splitName } from '@continuo/contracts';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { ReadDatabase } from '../reads/database/database.js';
import type { IdList } from '../reads/lists/id-list.js';
import { inOrder } from '../reads/songs/songs.reads.js';
import type { Viewer } from '../reads/visibility/viewer.js';
import { nameSources, type NamedKind } from './index.js';
import { isOneOf } from '../reads/database/id-condition.js';

/** A thing by its name; `prefix` is a leading article, `basename` the rest. */
export interface NamedView {
  readonly id: number;
  readonly name: string;
  readonly prefix: string | null;
  readonly basename: string;
}

interface NamedRow {
  readonly id: number;
  readonly name: string;
  /** Null, as `basename` is, where the read model keeps the name in one piece. */
  readonly prefix: string | null;
  readonly basename: string | null;
}

/** Names by id, in the order of the ids; what is gone or may not be seen is left out. */
export const namesByIds = async (db: ReadDatabase, kind: NamedKind, ids: ArrayLike<number>, viewer: Viewer): Promise<NamedView[]> => {
  if (ids.length === 0) return [];
  const { from, name, parts, visible } = nameSources[kind];
  const { rows } = await sql<NamedRow>`
    select t.id, ${name} as name, ${parts} from ${from} where ${isOneOf(sql<number>`t.id`, ids)} and ${visible(viewer)}`.execute(db);
  return inOrder(ids, rows).map(({ id, name: text, prefix, basename }) =>
    basename === null ? { id, name: text, ...splitName(text) } : { id, name: text, prefix, basename },
  );
};

/** Names hashed by one statement: its answer is some megabytes at most. */
const HASHED_AT_ONCE = 20_000;
/** Longer lists are hashed by their ids alone: reading a million names takes seconds, which no page may cost. */
const MAX_HASHED = 100_000;

const hashNames = async (db: ReadDatabase, kind: NamedKind, ids: Int32Array): Promise<string> => {
  const { from, name } = nameSources[kind];
  const hash = createHash('md5').update(`a:${ids.length}:{`);
  for (let start = 0; start < ids.length; start += HASHED_AT_ONCE) {
    const chunk = Array.from(ids.subarray(start, start + HASHED_AT_ONCE));
    const { rows } = await sql<{ text: string | null }>`
      select string_agg('i:' || (x.place + ${start - 1}) || ';a:2:{s:2:"id";i:' || x.id || ';s:4:"name";s:' || octet_length(n.name) || ':"' || n.name || '";}', ''
        order by x.place) as text
      from unnest(${chunk}::int[]) with ordinality x(id, place)
      join (select t.id, ${name} as name from ${from} where ${isOneOf(sql<number>`t.id`, chunk)}) n on n.id = x.id`.execute(db);
    hash.update(rows[0]?.text ?? '');
  }
  return hash.update('}').digest('hex');
};

// A kept list lives as long as the catalogue's version, and so does the hash of its names.
const hashes = new WeakMap<IdList, Promise<string>>();

/**
 * The content hash of a list of names: MD5 over the PHP serialisation of its ordered id and name pairs, up to a hundred
 * thousand of them. It is worked out once for each kept list, in steps, so that no page after the first pays for it.
 */
export const namesMd5 = async (db: ReadDatabase, kind: NamedKind, list: IdList): Promise<string> => {
  if (list.total > MAX_HASHED) return list.md5;
  const known = hashes.get(list);
  if (known) return known;
  const hashing = hashNames(db, kind, list.ids);
  hashes.set(list, hashing);
  hashing.catch(() => hashes.delete(list));
  return await hashing;
};
