import { sql, type Kysely } from 'kysely';
import { equal, noneOf, type Finding } from '../../checks/finding.js';
import type { Client } from './client.js';

/** Ledger of acknowledged writes that is checked against the server. */
export interface AcknowledgedWrites {
  run(isOver: () => boolean): Promise<void>;
  check(db: Kysely<unknown>): Promise<Finding[]>;
  /** Acknowledged writes. */
  readonly writes: number;
}

const SONGS_READ = 100_000;

/** Adds songs to a list of its own, one by one, and reads the list after each: a song that is added twice, or not at all, shows. */
export class ListWriter implements AcknowledgedWrites {
  readonly #client: Client;
  readonly #songs: readonly number[];
  readonly #number: number;
  readonly #owed: number[] = [];
  #listId = 0;
  /** Reads that did not show the write before them. */
  readonly stale: string[] = [];

  constructor(client: Client, songs: readonly number[], number: number) {
    this.#client = client;
    this.#songs = songs;
    this.#number = number;
  }

  get writes(): number {
    return this.#owed.length;
  }

  async run(isOver: () => boolean): Promise<void> {
    const made = await this.#client.native<{ id: string }>('write', 'playlist_create', { name: `list ${this.#number}`, type: 'private' });
    if (!made) return;
    this.#listId = Number(made.id);
    for (let turn = 0; !isOver(); turn += 1) await this.#add(this.#songs[(turn * 7 + this.#number) % this.#songs.length] ?? 0);
  }

  async #add(songId: number): Promise<void> {
    const filter = String(this.#listId);
    if (!(await this.#client.native('write', 'playlist_add_song', { filter, song: String(songId), check: '0' }))) return;
    this.#owed.push(songId);
    const read = await this.#client.native<{ playlisttrack?: unknown; items?: number }>('read own write', 'playlist', { filter });
    if (read && Number(read.items) !== this.#owed.length)
      this.stale.push(`list ${this.#number}: ${read.items} songs, ${this.#owed.length} were added`);
  }

  async check(db: Kysely<unknown>): Promise<Finding[]> {
    const { rows } = await sql<{ id: number }>`
      select object_id as id from library.playlist_member where playlist_id = ${this.#listId} order by rank limit ${SONGS_READ}`.execute(
      db,
    );
    const found = rows.map(({ id }) => id);
    const differing = this.#owed.flatMap((id, place) =>
      found[place] === id ? [] : [`place ${place + 1}: song ${found[place]}, owed ${id}`],
    );
    return [
      equal(`list ${this.#number}: songs = acknowledged`, found.length, this.#owed.length),
      noneOf(`list ${this.#number}: other songs`, differing),
    ];
  }
}

/** Rates songs of its own again and again; the last acknowledged rating has to stand. */
export class Rater implements AcknowledgedWrites {
  readonly #client: Client;
  readonly #songs: readonly number[];
  readonly #owed = new Map<number, number>();
  writes = 0;

  constructor(client: Client, songs: readonly number[]) {
    this.#client = client;
    this.#songs = songs;
  }

  async run(isOver: () => boolean): Promise<void> {
    for (let turn = 0; !isOver(); turn += 1) {
      const [song, rating] = [this.#songs[turn % this.#songs.length] ?? 0, 1 + (Math.floor(turn / this.#songs.length) % 5)];
      if (!(await this.#client.native('write', 'rate', { type: 'song', filter: String(song), rating: String(rating) }))) continue;
      this.#owed.set(song, rating);
      this.writes += 1;
    }
  }

  async check(db: Kysely<unknown>): Promise<Finding[]> {
    const { rows } = await sql<{
      id: number;
      rating: number;
    }>`select object_id as id, rating from social.rating where kind = 'song'`.execute(db);
    const found = new Map(rows.map(({ id, rating }) => [id, rating]));
    const wrong = [...this.#owed].filter(([id, rating]) => found.get(id) !== rating);
    return [
      noneOf(
        'ratings: other than acknowledged',
        wrong.map(([id, rating]) => `song ${id} has ${found.get(id)}, owed ${rating}`),
        `none of ${this.#owed.size}`,
      ),
      equal('ratings: songs', found.size, this.#owed.size),
    ];
  }
}

const FIRST_PLAY_S = 1_600_000_000;
const BETWEEN_S = 3600;

/** Plays songs, each at a time of its own; every acknowledged play counts once. */
export class Listener implements AcknowledgedWrites {
  readonly #client: Client;
  readonly #songs: readonly number[];
  readonly #owed: string[] = [];

  constructor(client: Client, songs: readonly number[]) {
    this.#client = client;
    this.#songs = songs;
  }

  get writes(): number {
    return this.#owed.length;
  }

  async run(isOver: () => boolean): Promise<void> {
    for (let turn = 0; !isOver(); turn += 1) {
      const [song, date] = [this.#songs[turn % this.#songs.length] ?? 0, FIRST_PLAY_S + turn * BETWEEN_S];
      if (await this.#client.native('write', 'record_play', { filter: String(song), client: 'upgrade', date: String(date) }))
        this.#owed.push(`${song} at ${date}`);
    }
  }

  async check(db: Kysely<unknown>): Promise<Finding[]> {
    const { rows } = await sql<{
      play: string;
    }>`select song_id || ' at ' || at_ms / 1000 as play from playback.play where client = 'upgrade'`.execute(db);
    const found = Map.groupBy(rows, ({ play }) => play);
    return [
      noneOf(
        'plays: lost',
        this.#owed.filter((play) => !found.has(play)),
        `none of ${this.#owed.length}`,
      ),
      noneOf(
        'plays: counted twice',
        [...found].filter(([, same]) => same.length > 1).map(([play]) => play),
      ),
      equal('plays: all', rows.length, this.#owed.length),
    ];
  }
}
