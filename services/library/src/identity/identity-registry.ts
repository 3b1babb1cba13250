import { DATABASE } from '@continuo/chassis';
import type { ScannedCredit } from '@continuo/contracts';
import { Inject } from '@nestjs/common';
import { sql, type Kysely, type Transaction } from 'kysely';
import { identityKey } from '../catalogue/names.js';
import { GatheredWork } from './gathered-work.js';
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

/** A thing of any kind to find or to name. */
type WantedThing = Wanted & { readonly kind: IdentityKind };

type Db = Kysely<unknown> | Transaction<unknown>;
interface IdentityRow extends Identity {
  readonly kind: IdentityKind;
  readonly key: string;
}

/** Ids taken at once; what is left of a block at the end of the process is lost. Catalogs and podcasts are few and their ids are looked at. */
export const blockOf = (kind: IdentityKind): number => (kind === 'catalog' || kind === 'podcast' ? 1 : 200);
const MAX_CACHED = 200_000;

/**
 * Gives every thing its id, once and for good. Entries never change, except that an artist known by name alone may gain a MusicBrainz id;
 * so replicas can cache them, and two that meet the same new name agree through the table's key.
 */
export class IdentityRegistry {
  readonly #db: Kysely<unknown>;
  readonly #cache = new Map<string, Identity>();
  readonly #blocks = new Map<IdentityKind, number[]>();
  readonly #refills = new Map<IdentityKind, Promise<void>>();
  readonly #newFolders = new Set<number>();
  readonly #things = new GatheredWork<WantedThing>((all) => this.#fill(all));
  /** One fill at a time in this process: the lock would make them wait anyway, each on a connection of its own. */
  readonly #artists = new GatheredWork<ScannedCredit>((all) => this.#fillArtists(all));

  constructor(@Inject(DATABASE) db: Kysely<unknown>) {
    this.#db = db;
  }

  /** Fresh ids of a kind; a number that is taken and not used is lost, which harms nobody. */
  async freshIds(kind: IdentityKind, count: number): Promise<number[]> {
    const block = this.#blocks.get(kind) ?? [];
    this.#blocks.set(kind, block);
    // Others take from the same block while this one waits for more.
    while (block.length < count) await this.#refill(kind, block, count - block.length);
    return block.splice(0, count);
  }

  /** One request of a kind at a time: two that run at once share the numbers out between them, and those that come later lie idle. */
  #refill(kind: IdentityKind, block: number[], count: number): Promise<void> {
    const running =
      this.#refills.get(kind) ??
      this.#nextIds(this.#db, kind, Math.max(blockOf(kind), count))
        .then((ids) => void block.push(...ids))
        .finally(() => this.#refills.delete(kind));
    this.#refills.set(kind, running);
    return running;
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
    const missing = wanted.filter(({ key }) => !this.#cache.has(cacheKey(kind, key)));
    if (missing.length > 0) await this.#things.add(missing.map((entry) => ({ ...entry, kind })));
    return wanted.map(({ key }) => this.#cached(kind, key));
  }

  /**
   * Artists by MusicBrainz id where a tag gives one, else by name. A name that was met without an id takes the first one that appears
   * with it; a second artist of the same name, with another MusicBrainz id, is somebody else.
   */
  async resolveArtists(credits: readonly ScannedCredit[]): Promise<Identity[]> {
    const unknown = credits.filter((credit) => !this.#cache.has(cacheKey('artist', artistKey(credit))));
    if (unknown.length > 0) await this.#artists.add(unknown);
    return credits.map((credit) => this.#cached('artist', artistKey(credit)));
  }

  #cached(kind: IdentityKind, key: string): Identity {
    const identity = this.#cache.get(cacheKey(kind, key));
    if (!identity) throw new Error(`the registry did not name ${kind} ${key}`);
    return identity;
  }

  /** Names what has no name yet, things of all kinds with one statement, and looks up what somebody named before. */
  async #fill(all: readonly WantedThing[]): Promise<void> {
    const missing = new Map(all.map((thing) => [cacheKey(thing.kind, thing.key), thing]));
    for (const key of missing.keys()) if (this.#cache.has(key)) missing.delete(key);
    const offered: IdentityRow[] = [];
    for (const [kind, things] of Map.groupBy(missing.values(), (thing) => thing.kind)) {
      const ids = await this.freshIds(kind, things.length);
      offered.push(...things.map(({ key, name }, at) => ({ kind, key, name, id: ids[at] as number, mbid: null })));
    }
    if (offered.length === 0) return;
    const named = await insert(this.#db, offered);
    this.#remember(named);
    this.#noteNewFolders(named);
    const isNamed = new Set(named.map(({ kind, id }) => cacheKey(kind, String(id))));
    // The ids of those that have one already are offered again.
    const known = offered.filter(({ kind, id }) => !isNamed.has(cacheKey(kind, String(id))));
    for (const { kind, id } of known) this.#blocks.get(kind)?.push(id);
    for (const [kind, things] of Map.groupBy(known, (thing) => thing.kind)) {
      const keys = things.map(({ key }) => key);
      this.#remember(await select(this.#db, kind, keys));
    }
  }

  #noteNewFolders(named: readonly IdentityRow[]): void {
    if (this.#newFolders.size > MAX_CACHED) this.#newFolders.clear();
    for (const { kind, id } of named) if (kind === 'folder') this.#newFolders.add(id);
  }

  /** Under a lock, because one artist can have two keys that must end on the same id. */
  async #fillArtists(all: readonly ScannedCredit[]): Promise<void> {
    const unknown = all.filter((credit) => !this.#cache.has(cacheKey('artist', artistKey(credit))));
    const credits = [...Map.groupBy(unknown, artistKey).values()].flatMap(([first]) => first ?? []);
    if (credits.length === 0) return;
    // Taken beforehand: asking for ids inside the transaction would need a second connection.
    const ids = await this.freshIds('artist', credits.length);
    await this.#db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('identity:artist', 0))`.execute(tx);
      const keys = credits.flatMap((credit) => [artistKey(credit), nameKey(credit.name)]);
      const known = new Map((await select(tx, 'artist', keys)).map((row) => [row.key, row]));
      const fresh = new Map<string, IdentityRow>();
      for (const credit of credits) await this.#fillArtist(tx, credit, { known, ids, fresh });
      if (fresh.size > 0) await insert(tx, [...fresh.values()]);
      this.#remember([...known.values()]);
    });
    this.#blocks.get('artist')?.push(...ids);
  }

  async #fillArtist(
    tx: Transaction<unknown>,
    credit: ScannedCredit,
    { known, ids, fresh }: { readonly known: Map<string, IdentityRow>; readonly ids: number[]; readonly fresh: Map<string, IdentityRow> },
  ): Promise<void> {
    const key = artistKey(credit);
    if (known.has(key)) return;
    const byName = known.get(nameKey(credit.name));
    if (byName && credit.mbid && byName.mbid === null) {
      const adopted = { ...byName, mbid: credit.mbid };
      if (fresh.has(byName.key)) fresh.set(byName.key, adopted);
      else await sql`update library.identity set mbid = ${credit.mbid} where kind = 'artist' and key = ${byName.key}`.execute(tx);
      fresh.set(key, { ...adopted, key });
      known.set(byName.key, adopted).set(key, { ...adopted, key });
      return;
    }
    const id = ids.shift();
    const named = { kind: 'artist', id: id as number, name: credit.name, mbid: credit.mbid ?? null } as const;
    for (const rowKey of new Set([key, ...(byName ? [] : [nameKey(credit.name)])])) {
      known.set(rowKey, { ...named, key: rowKey });
      fresh.set(rowKey, { ...named, key: rowKey });
    }
  }

  #remember(rows: readonly IdentityRow[]): void {
    if (this.#cache.size > MAX_CACHED) this.#cache.clear();
    for (const row of rows) this.#cache.set(cacheKey(row.kind, row.key), { id: row.id, name: row.name, mbid: row.mbid });
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
    await sql<IdentityRow>`select kind, key, id, name, mbid from library.identity where kind = ${kind} and key = any(${[...new Set(keys)]})`.execute(
      db,
    );
  return found.rows;
};

/** Writes what is not there yet; answers what was written. */
const insert = async (db: Db, rows: readonly IdentityRow[]): Promise<IdentityRow[]> => {
  // In order of kind and key, so that two writers that meet the same names cannot wait for each other.
  const sorted = rows.toSorted((a, b) => (a.kind === b.kind ? (a.key < b.key ? -1 : 1) : a.kind < b.kind ? -1 : 1));
  const written = await sql<IdentityRow>`
    insert into library.identity (kind, key, id, name, mbid)
    select * from unnest(${sorted.map((r) => r.kind)}::text[], ${sorted.map((r) => r.key)}::text[], ${sorted.map((r) => r.id)}::bigint[],
      ${sorted.map((r) => r.name)}::text[], ${sorted.map((r) => r.mbid)}::text[])
    on conflict do nothing returning kind, key, id, name, mbid`.execute(db);
  return written.rows;
};
