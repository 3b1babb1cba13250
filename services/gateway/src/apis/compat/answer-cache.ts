import { LRUCache } from 'lru-cache';
import { sql } from 'kysely';
import type { ReadDatabase } from '../../reads/database/database.js';

/** Bytes of all kept answers. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Bytes of one: all artists of a million songs. A longer answer is written anew each time. */
const MAX_ANSWER_BYTES = 6 * 1024 * 1024;
/** Bytes of an entry beside its body. */
const ENTRY_BYTES = 300;

/** Projections whose tables are read for kept answers. */
const PROJECTIONS = [
  'library-catalogue',
  'library-found-facts',
  'ingestion-scans',
  'playback-plays',
  'playback-places',
  'social-annotations',
] as const;

/**
 * Reads a text that changes with each event that these projections apply: a projection's position is committed together with its rows. Undefined for a
 * catalogue to which no event was ever applied.
 */
const versionOf = async (db: ReadDatabase): Promise<string | undefined> => {
  const { rows } = await sql<{ version: string | null; position: number | null }>`
    select string_agg(concat_ws(' ', name, version, position), ',' order by name) as version,
      max(position) filter (where name = 'library-catalogue') as position
    from chassis.projection_checkpoint where state = 'live' and name = any(${[...PROJECTIONS]}::text[])`.execute(db);
  return rows[0]?.position ? (rows[0].version ?? undefined) : undefined;
};

interface KeptAnswer {
  readonly version: string;
  readonly body: Buffer;
}

/** An answer that may be kept: its body where it is known, else where to leave it. */
export type KeptLookup = { readonly body: Buffer } | { readonly maxBytes: number; readonly keep: (body: Buffer) => void };

/** Finished documents of whole lists, each kept until one of the projections behind it has applied a further event. Bounded by bytes. */
export class AnswerCache {
  private readonly kept = new LRUCache<string, KeptAnswer>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body, version }, key) => body.byteLength + (key.length + version.length) * 2 + ENTRY_BYTES,
  });

  constructor(private readonly db: ReadDatabase) {}

  /**
   * Looks an answer up. The version is read before the answer is made, so that what changes meanwhile makes it a new one.
   * @param key everything that the answer depends on beside the tables of the projections
   */
  async find(key: string): Promise<KeptLookup> {
    const version = await versionOf(this.db);
    const known = this.kept.get(key);
    if (known && known.version === version) return { body: known.body };
    this.kept.delete(key);
    const keep = (body: Buffer): void => {
      if (version !== undefined && body.byteLength <= MAX_ANSWER_BYTES) this.kept.set(key, { version, body });
    };
    return { maxBytes: version === undefined ? 0 : MAX_ANSWER_BYTES, keep };
  }
}
