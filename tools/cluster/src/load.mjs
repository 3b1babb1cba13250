import { setTimeout as sleep } from 'node:timers/promises';

/** Between two requests of one client, ms. */
const PAUSE_MS = 100;

/**
 * Clients at work, none of which repeats anything: readers over kept and over new connections, listeners, and writers with an account of their own of what was acknowledged to them.
 */
export class Load {
  #client;
  #isOver = false;
  #work = [];
  #songs = [];
  #failures = new Map();
  #asked = 0;
  #longestMs = 0;
  #lastGoodAt = performance.now();
  #gapMs = 0;
  #gapEnd = '';
  #written = [];
  #unsure = new Set();

  constructor(client) {
    this.#client = client;
  }

  /** Begins. @param {string} mark in the names of everything that is written */
  async start(mark) {
    this.#songs = await this.#client.songs();
    this.#lastGoodAt = performance.now();
    const once = { headers: { connection: 'close' } };
    this.#work = [
      this.#keepOn((turn) => this.#client.compat('getSong', { id: this.#song(turn).id })),
      this.#keepOn(() => this.#client.compat('search3', { query: 'song' }, once)),
      this.#keepOn(() => this.#client.native('songs', { limit: '20' })),
      this.#keepOn(() => this.#client.native('playlists', { limit: '5' }, once)),
      this.#keepOn((turn) => this.#listen(this.#song(turn))),
      this.#keepOn((turn) => this.#write(`${mark}-a-${turn}`)),
      this.#keepOn((turn) => this.#write(`${mark}-b-${turn}`)),
    ];
    return this;
  }

  /** Ends the work and answers what came of it; failed requests by what they said. */
  async finish() {
    this.#isOver = true;
    await Promise.all(this.#work);
    const failed = [...this.#failures.values()].reduce((sum, count) => sum + count, 0);
    return {
      asked: this.#asked,
      failed,
      longestMs: Math.round(this.#longestMs),
      gapMs: Math.round(this.#gapMs),
      gapEnd: this.#gapEnd,
      reasons: Object.fromEntries(this.#failures),
      ...(await this.#account()),
    };
  }

  /** Keeps the longest time in which nobody got an answer. */
  #noteAnswer() {
    const gapMs = performance.now() - this.#lastGoodAt;
    this.#lastGoodAt = performance.now();
    if (gapMs <= this.#gapMs) return;
    this.#gapMs = gapMs;
    this.#gapEnd = new Date().toISOString().slice(11, 19);
  }

  /** Counts each acknowledged name. Unanswered ones may be there once or not. */
  async #account() {
    const { playlists } = await this.#client.compat('getPlaylists');
    const counts = new Map();
    for (const { name } of playlists.playlist ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
    const lost = this.#written.filter((name) => !counts.has(name));
    const doubled = [...this.#written, ...this.#unsure].filter((name) => (counts.get(name) ?? 0) > 1);
    await this.#deleteOf(playlists.playlist ?? []);
    return { acknowledged: this.#written.length, lost: lost.length, doubled: doubled.length };
  }

  /** Deletes what was written: an account may have so many playlists. */
  async #deleteOf(playlists) {
    const own = new Set([...this.#written, ...this.#unsure]);
    for (const { id, name } of playlists) if (own.has(name)) await this.#client.compat('deletePlaylist', { id });
  }

  #song(turn) {
    return this.#songs[turn % this.#songs.length];
  }

  async #listen({ id }) {
    const { status, bytes } = await this.#client.stream(id, {}, { headers: { range: 'bytes=0-65535' } });
    if (status !== 206 && status !== 200) throw new Error(`stream: ${status}`);
    if (bytes === 0) throw new Error('stream: nothing came');
  }

  async #write(name) {
    this.#unsure.add(name);
    const { playlist } = await this.#client.compat('createPlaylist', { name });
    this.#unsure.delete(name);
    this.#written.push(name);
    // Acknowledged writes are readable at once.
    const { playlist: read } = await this.#client.compat('getPlaylist', { id: playlist.id });
    if (read.name !== name) throw new Error(`getPlaylist: ${read.name} in place of ${name}`);
  }

  async #keepOn(ask) {
    for (let turn = 0; !this.#isOver; turn += 1) {
      const startedAt = performance.now();
      try {
        await ask(turn);
        this.#noteAnswer();
      } catch (error) {
        const cause = error.cause?.code ?? error.cause?.message;
        const reason = `${error.message}${cause ? ` (${cause})` : ''}`;
        this.#failures.set(reason, (this.#failures.get(reason) ?? 0) + 1);
      }
      this.#asked += 1;
      this.#longestMs = Math.max(this.#longestMs, performance.now() - startedAt);
      await sleep(PAUSE_MS);
    }
  }
}
