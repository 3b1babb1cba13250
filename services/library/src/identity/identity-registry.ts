import type { ScannedCredit } from '@continuo/contracts';
import { sql, type Kysely, type Transaction } from 'kysely';
import { identityKey } from '../catalogue/names.js';
import { sequenceOf, type IdentityKind } from './identity.migrations.js';

/** A thing under its canonical name: the spelling under which it was first met. */
export interface Identity {
  readonly id: number;
  readonly name: string;
  readonly mbid: string | null;
}

/** A thing to find or to name: its natural key and the spelling at hand. */
export interface Wanted {
  readonly key: string;
  readonly name: string;
}

type Db = Kysely<unknown> | Transaction<unknown>;
interface IdentityRow extends Identity {
  readonly key: string;
}

/** Ids taken at once; what is left of a block at the end of the process is lost. Catalogs and podcasts are few and their ids are looked at. */
const blockOf = (kind: IdentityKind): number => (kind === 'catalog' || kind === 'podcast' ? 1 : 200);
const MAX_CACHED = 200_000;

/**
 * Gives every thing its id, once and for good. Entries never change, except that an artist known by name alone may gain a MusicBrainz id;
 * so replicas can cache them, and two that meet the same new name agree through the table's key.
 */
export class IdentityRegistry {
  readonly #db: Kysely<unknown>;
  readonly #cache = new Map<string, Identity>();
  readonly #blocks = new Map<IdentityKind, number[]>();
  readonly #newFolders = new Set<number>();
  /** The last of the fills of artists, which go one after the other. */
  #artistTurn: Promise<unknown> = Promise.resolve();

  constructor(db: Kysely<unknown>) {
    this.#db = db;
  }

  /** Fresh ids of a kind; a number that is taken and not used is lost, which harms nobody. */
  async freshIds(kind: IdentityKind, count: number): Promise<number[]> {
    const block = this.#blocks.get(kind) ?? [];
    this.#blocks.set(kind, block);
    // Others take from the same block while this one waits for more.
    while (block.length < count) block.push(...(await this.#nextIds(this.#db, kind, Math.max(blockOf(kind), count - block.length))));
    return block.splice(0, count);
  }

  /**
   * True once for a folder that this process has just named: nobody can have written about it yet, so its log need not be read. Should that be
   * wrong, the append refuses.
   */
  claimNewFolder(id: number): boolean {
    return this.#newFolders.delete(id);
  }

  /** Finds or creates by key; answers in the order asked. */
  async resolve(kind: IdentityKind, wanted: readonly Wanted[]): Promise<Identity[]> {
    const missing = new Map(wanted.filter(({ key }) => !this.#cache.has(cacheKey(kind, key))).map((entry) => [entry.key, entry]));
    if (missing.size > 0) await this.#fill(kind, [...missing.values()]);
    return wanted.map(({ key }) => this.#cached(kind, key));
  }

  /**
   * Artists by MusicBrainz id where a tag gives one, else by name. A name that was met without an id takes the first one that appears
   * with it; a second artist of the same name, with another MusicBrainz id, is somebody else.
   */
  async resolveArtists(credits: readonly ScannedCredit[]): Promise<Identity[]> {
    const unknown = credits.filter((credit) => !this.#cache.has(cacheKey('artist', artistKey(credit))));
    if (unknown.length > 0) await this.#fillArtists(unknown);
    return credits.map((credit) => this.#cached('artist', artistKey(credit)));
  }

  #cached(kind: IdentityKind, key: string): Identity {
    const identity = this.#cache.get(cacheKey(kind, key));
    if (!identity) throw new Error(`the registry did not name ${kind} ${key}`);
    return identity;
  }

  async #fill(kind: IdentityKind, missing: readonly Wanted[]): Promise<void> {
    const known = await select(
      this.#db,
      kind,
      missing.map(({ key }) => key),
    );
    this.#remember(kind, known);
    const found = new Set(known.map((row) => row.key));
    const fresh = missing.filter(({ key }) => !found.has(key));
    if (fresh.length === 0) return;
    const ids = await this.freshIds(kind, fresh.length);
    await insert(
      this.#db,
      kind,
      fresh.map((entry, index) => ({ ...entry, id: ids[index] as number, mbid: null })),
    );
    // Somebody else may have been faster for some of them: what the table says counts.
    const named = await select(
      this.#db,
      kind,
      fresh.map(({ key }) => key),
    );
    this.#remember(kind, named);
    if (kind === 'folder') this.#noteNewFolders(named, ids);
  }

  #noteNewFolders(named: readonly IdentityRow[], offered: readonly number[]): void {
    if (this.#newFolders.size > MAX_CACHED) this.#newFolders.clear();
    const own = new Set(offered);
    for (const row of named) if (own.has(row.id)) this.#newFolders.add(row.id);
  }

  /** One fill at a time in this process: the lock would make them wait anyway, each on a connection of its own. */
  #fillArtists(credits: readonly ScannedCredit[]): Promise<void> {
    const turn = this.#artistTurn.then(() => this.#fillArtistsAlone(credits));
    this.#artistTurn = turn.catch(() => undefined);
    return turn;
  }

  /** Under a lock, because one artist can have two keys that must end on the same id. */
  async #fillArtistsAlone(all: readonly ScannedCredit[]): Promise<void> {
    const credits = all.filter((credit) => !this.#cache.has(cacheKey('artist', artistKey(credit))));
    if (credits.length === 0) return;
    // Taken beforehand: asking for ids inside the transaction would need a second connection.
    const ids = await this.freshIds('artist', credits.length);
    await this.#db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('identity:artist', 0))`.execute(tx);
      const keys = credits.flatMap((credit) => [artistKey(credit), nameKey(credit.name)]);
      const known = new Map((await select(tx, 'artist', keys)).map((row) => [row.key, row]));
      for (const credit of credits) await this.#fillArtist(tx, credit, { known, ids });
      this.#remember('artist', [...known.values()]);
    });
  }

  async #fillArtist(
    tx: Transaction<unknown>,
    credit: ScannedCredit,
    { known, ids }: { readonly known: Map<string, IdentityRow>; readonly ids: number[] },
  ): Promise<void> {
    const key = artistKey(credit);
    if (known.has(key)) return;
    const byName = known.get(nameKey(credit.name));
    if (byName && credit.mbid && byName.mbid === null) {
      const adopted = { ...byName, mbid: credit.mbid };
      await sql`update library.identity set mbid = ${credit.mbid} where kind = 'artist' and key = ${byName.key}`.execute(tx);
      await insert(tx, 'artist', [{ ...adopted, key }]);
      known.set(byName.key, adopted).set(key, { ...adopted, key });
      return;
    }
    const id = ids.shift();
    const rows = [key, ...(byName ? [] : [nameKey(credit.name)])].map((rowKey) => ({
      key: rowKey,
      id: id as number,
      name: credit.name,
      mbid: credit.mbid ?? null,
    }));
    await insert(tx, 'artist', rows);
    for (const row of rows) known.set(row.key, row);
  }

  #remember(kind: IdentityKind, rows: readonly IdentityRow[]): void {
    if (this.#cache.size > MAX_CACHED) this.#cache.clear();
    for (const row of rows) this.#cache.set(cacheKey(kind, row.key), { id: row.id, name: row.name, mbid: row.mbid });
  }

  async #nextIds(db: Db, kind: IdentityKind, count: number): Promise<number[]> {
    const found = await sql<{
      id: number;
    }>`select nextval(${`library.${sequenceOf(kind)}`}::regclass) as id from generate_series(1, ${count})`.execute(db);
    return found.rows.map((row) => row.id);
  }
}

/** Key of an artist that is known by name. */
export const nameKey = (name: string): string => `name:${identityKey(name)}`;
/** Key of an artist that is known by MusicBrainz id. */
export const mbidKey = (mbid: string): string => `mbid:${mbid.toLowerCase()}`;

const artistKey = (credit: ScannedCredit): string => (credit.mbid ? mbidKey(credit.mbid) : nameKey(credit.name));
const cacheKey = (kind: IdentityKind, key: string): string => `${kind}\u0000${key}`;

const select = async (db: Db, kind: IdentityKind, keys: readonly string[]): Promise<IdentityRow[]> => {
  const found =
    await sql<IdentityRow>`select key, id, name, mbid from library.identity where kind = ${kind} and key = any(${[...new Set(keys)]})`.execute(
      db,
    );
  return found.rows;
};

const insert = async (db: Db, kind: IdentityKind, rows: readonly IdentityRow[]): Promise<void> => {
  // In key order, so that two writers that meet the same names cannot wait for each other.
  const sorted = rows.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  await sql`
    insert into library.identity (kind, key, id, name, mbid)
    select ${kind}, * from unnest(${sorted.map((r) => r.key)}::text[], ${sorted.map((r) => r.id)}::bigint[], ${sorted.map((r) => r.name)}::text[], ${sorted.map((r) => r.mbid)}::text[])
    on conflict do nothing`.execute(db);
};
