import { pause } from '@continuo/chassis';
import { randomFor, type Random } from '@continuo/media-fixtures';
import { CompatClient } from '../harness/compat-client.js';
import { NativeClient } from '../harness/native-client.js';
import type { Times } from './times.js';

/** Sizes of the crowd, and what is there for it. */
export interface CrowdPlan {
  readonly url: string;
  /** A key for each person: listeners first, then those who browse, then those who write. */
  readonly keys: readonly string[];
  readonly listeners: number;
  readonly browsers: number;
  /** Songs that can be heard, and their length. */
  readonly heard: readonly number[];
  readonly songSeconds: number;
  readonly songs: number;
  readonly albums: number;
  /** Some artists with albums. */
  readonly artists: readonly number[];
}

/** Every so many listeners has songs converted. */
const CONVERTS_EVERY = 10;
const THINK_MS = { least: 500, most: 1500 };
const WRITE_EVERY_MS = 1000;
const AFTER_FAILURE_MS = 1000;
const WORDS = ['love', 'night', 'blue', 'river', 'stone', 'light', 'dream', 'fire'];

/** People who use a server until they are told to stop, each with an account, and with a memory of what was confirmed to them. */
export class Crowd {
  readonly #plan: CrowdPlan;
  readonly #times: Times;
  readonly #over = new AbortController();
  readonly #checks: (() => Promise<string[]>)[] = [];
  #work: Promise<unknown> = Promise.resolve();
  #plays = 0;
  #unsure = 0;

  constructor(plan: CrowdPlan, times: Times) {
    this.#plan = plan;
    this.#times = times;
  }

  /** Plays that were confirmed; and those of which nobody knows, because the call failed. */
  get plays(): { readonly confirmed: number; readonly unsure: number } {
    return { confirmed: this.#plays, unsure: this.#unsure };
  }

  begin(): void {
    const { keys, listeners, browsers, url } = this.#plan;
    this.#work = Promise.all(
      keys.map((apiKey, n) => {
        const client = new CompatClient({ url, apiKey });
        const random = randomFor(n, 'crowd');
        if (n < listeners) return this.#listen(client, random, n % CONVERTS_EVERY === 0);
        return n < listeners + browsers ? this.#browse(client, random, apiKey) : this.#write(client, random, n);
      }),
    );
  }

  async end(): Promise<void> {
    this.#over.abort();
    await this.#work;
  }

  /** Sentences about what was confirmed and is not there. */
  async lost(): Promise<string[]> {
    return (await Promise.all(this.#checks.map((check) => check()))).flat();
  }

  get #isOver(): boolean {
    return this.#over.signal.aborted;
  }

  async #listen(client: CompatClient, random: Random, converts: boolean): Promise<void> {
    const { heard, songSeconds } = this.#plan;
    await pause(random.below(songSeconds * 1000), this.#over.signal);
    while (!this.#isOver) {
      const id = `so-${random.pick(heard)}`;
      const began = performance.now();
      const form: Record<string, string | number> = converts
        ? { format: 'mp3', maxBitRate: 128, timeOffset: random.below(songSeconds / 4) }
        : { format: 'raw' };
      await this.#times.of('scrobble, begins', () => client.call('scrobble', { id, submission: 'false' }));
      const answer = await this.#times.of(converts ? 'stream, converted, to its end' : 'stream, original, to its end', async () => {
        const got = await client.http.get(client.path('stream', { id, ...form }));
        if (got.status !== 200) throw new Error(`stream answered ${got.status}: ${got.head.slice(0, 200)}`);
        return got;
      });
      if (answer) this.#times.note(converts ? 'stream, converted, first bytes' : 'stream, original, first bytes', answer.firstByteMs);
      await pause(Math.max(AFTER_FAILURE_MS, songSeconds * 1000 - (performance.now() - began)), this.#over.signal);
      if (this.#isOver || !answer) continue;
      const ok = await this.#times.of('scrobble, heard', () => client.call('scrobble', { id }));
      if (ok) this.#plays += 1;
      else this.#unsure += 1;
    }
    client.close();
  }

  async #browse(client: CompatClient, random: Random, apiKey: string): Promise<void> {
    const { url, songs, albums, artists } = this.#plan;
    const native = await NativeClient.login({ url, apiKey });
    const anId = (kind: string, count: number): string => `${kind}-${1 + random.below(count)}`;
    const list = (type: string) => () => client.call('getAlbumList2', { type, size: 50, offset: random.below(Math.min(albums, 5000)) });
    const calls: Record<string, () => Promise<unknown>> = {
      'getAlbumList2 newest': list('newest'),
      'getAlbumList2 random': list('random'),
      'getAlbumList2 alphabeticalByName': list('alphabeticalByName'),
      getAlbum: () => client.call('getAlbum', { id: anId('al', albums) }),
      getArtist: () => client.call('getArtist', { id: `ar-${random.pick(artists)}` }),
      getSong: () => client.call('getSong', { id: anId('so', songs) }),
      'search3, a word': () => client.call('search3', { query: random.pick(WORDS) }),
      getStarred2: () => client.call('getStarred2'),
      'songs, 100': () => native.call('songs', { limit: 100, offset: random.below(songs) }),
      'albums, 100': () => native.call('albums', { limit: 100, offset: random.below(albums) }),
    };
    const labels = Object.keys(calls);
    while (!this.#isOver) {
      const label = random.pick(labels);
      await this.#times.of(label, calls[label] as () => Promise<unknown>);
      await pause(THINK_MS.least + random.below(THINK_MS.most - THINK_MS.least), this.#over.signal);
    }
    native.close();
    client.close();
  }

  async #write(client: CompatClient, random: Random, number: number): Promise<void> {
    const { songs } = this.#plan;
    const [starred, entries] = [new Set<string>(), [] as string[]];
    const made = await client.json<{ playlist: { id: string } }>('createPlaylist', { name: `of writer ${number}` });
    const playlistId = made.playlist.id;
    this.#checks.push(async () => {
      const kept = await client.json<{ starred2: { song?: { id: string }[] } }>('getStarred2');
      const { playlist } = await client.json<{ playlist: { entry?: { id: string }[] } }>('getPlaylist', { id: playlistId });
      client.close();
      const there = new Set((kept.starred2.song ?? []).map(({ id }) => id));
      const listed = (playlist.entry ?? []).map(({ id }) => id);
      const missing = [...starred].filter((id) => !there.has(id)).map((id) => `writer ${number}: ${id} is not starred`);
      return listed.join() === entries.join()
        ? missing
        : [...missing, `writer ${number}: ${entries.length} songs were added, ${listed.length} are there`];
    });
    while (!this.#isOver) {
      const id = `so-${1 + random.below(songs)}`;
      if (await this.#times.of('star', () => client.call('star', { id }))) starred.add(id);
      await this.#times.of('getSong, that shows the star', async () => {
        const { song } = await client.json<{ song: { starred?: string } }>('getSong', { id });
        if (starred.has(id) && song.starred === undefined) throw new Error(`${id} was starred and does not show it`);
      });
      await this.#times.of('setRating', () => client.call('setRating', { id, rating: 1 + random.below(5) }));
      if (await this.#times.of('updatePlaylist', () => client.call('updatePlaylist', { playlistId, songIdToAdd: id }))) entries.push(id);
      await pause(WRITE_EVERY_MS, this.#over.signal);
    }
  }
}
