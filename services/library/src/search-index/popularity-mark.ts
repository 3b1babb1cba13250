import type { Migration } from '@continuo/chassis';
import { sql, type Kysely } from 'kysely';
import { hasPlays } from './search-documents.reads.js';

/** Up to which play an index knows how popular things are. Not a projection: it belongs to the index, which lies elsewhere. */
export const searchIndexMigrations: readonly Migration[] = [
  {
    name: '2026-11-21-search-popularity',
    statements: ['create table search_popularity (index_name text primary key, play_position bigint not null)'],
  },
];

/** Number of plays that are read at once. */
const PLAYS_AT_ONCE = 20_000;

/** Songs that were played since an index last heard of plays. */
export interface RecentPlays {
  readonly songIds: readonly number[];
  /** Mark to store once the index is written. */
  readonly mark: number;
}

/** Reads and moves the mark of one index. */
export class PopularityMark {
  readonly #db: Kysely<unknown>;
  readonly #index: string;

  constructor(db: Kysely<unknown>, index: string) {
    this.#db = db;
    this.#index = index;
  }

  /** Takes everything that was played so far as known. */
  async moveToEnd(): Promise<void> {
    await this.move((await hasPlays(this.#db)) ? await this.#lastPlay() : 0);
  }

  async move(mark: number): Promise<void> {
    await sql`insert into library.search_popularity values (${this.#index}, ${mark})
      on conflict (index_name) do update set play_position = excluded.play_position`.execute(this.#db);
  }

  /** Undefined when nothing was played. */
  async recent(): Promise<RecentPlays | undefined> {
    if (!(await hasPlays(this.#db))) return undefined;
    const { rows: marks } = await sql<{ play_position: number }>`
      select play_position from library.search_popularity where index_name = ${this.#index}`.execute(this.#db);
    const known = marks[0]?.play_position ?? 0;
    // A log of plays that has begun a new incarnation counts from the beginning.
    const from = known > (await this.#lastPlay()) ? 0 : known;
    const { rows } = await sql<{ id: number; song_id: number }>`
      select id, song_id from playback.play where id > ${from} order by id limit ${PLAYS_AT_ONCE}`.execute(this.#db);
    const mark = rows.at(-1)?.id;
    return mark === undefined ? undefined : { mark, songIds: [...new Set(rows.map(({ song_id }) => song_id))] };
  }

  async #lastPlay(): Promise<number> {
    const { rows } = await sql<{ last: number | null }>`select max(id) as last from playback.play`.execute(this.#db);
    return rows[0]?.last ?? 0;
  }
}
