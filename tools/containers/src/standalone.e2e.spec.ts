import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '@continuo/local-servers';
import { generateFiles } from '@continuo/media-fixtures';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { config } from './config.js';
import { engineProblem } from './engine-problem.js';
import { Ledger } from './ledger.js';

const FILES = 40;
const page = resolve(import.meta.dirname, '../../../docs/operate/container.md');
const run = promisify(execFile);

/** The docker program's output, of both streams. @throws Error with it when the program fails */
const docker = async (...args: string[]): Promise<string> => {
  const { stdout, stderr } = await run('docker', args);
  return stdout + stderr;
};

const missing = await engineProblem();
if (missing !== undefined) console.warn(`The whole server is not tested in a container: ${missing}.`);

interface Playlists {
  readonly playlists: { readonly playlist?: readonly { readonly name: string }[] };
}

/** A home: a folder of music, a volume, and the container that the documented command makes over them. */
class Home {
  readonly name = `continuo-home-${randomUUID().slice(0, 8)}`;
  #password = '';

  private constructor(
    readonly music: string,
    readonly port: number,
    readonly songs: number,
  ) {}

  static async prepare(): Promise<Home> {
    const music = await mkdtemp(join(tmpdir(), 'continuo-home-'));
    await chmod(music, 0o755);
    const { songs } = await generateFiles({ out: music, count: FILES, formats: ['mp3', 'flac', 'opus'], seed: 11, flat: false });
    return new Home(music, await freePort(), songs);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Runs the command of the page, with names, folder and port of this home. Resolves with the time until it is ready, ms. */
  async runAsDocumented(): Promise<number> {
    const command = /^docker run [^`]*? continuo$/m.exec(await readFile(page, 'utf8'))?.[0];
    if (command === undefined) throw new Error(`${page} has no command that runs the image`);
    const own = command
      .replaceAll('\\\n', ' ')
      .replace('--name continuo', `--name ${this.name}`)
      .replace('~/Music:', `${this.music}:`)
      .replace('continuo:/data', `${this.name}:/data`)
      .replace('8080:8080', `127.0.0.1:${this.port}:8080`)
      .replace(/ continuo$/, ` ${config.images}standalone:${config.version}`);
    const from = performance.now();
    await docker(...own.split(/\s+/).slice(1));
    await this.untilReady();
    return performance.now() - from;
  }

  async untilReady(): Promise<void> {
    const isReady = (): Promise<boolean> =>
      fetch(`${this.url}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    for (const until = Date.now() + 120_000; !(await isReady()); await delay(50))
      if (Date.now() > until) throw new Error(`${this.name} is not ready: ${await this.logs()}`);
  }

  logs(): Promise<string> {
    return docker('logs', this.name);
  }

  /** Its log up to the end of the greeting, which follows a moment after the first request is answered. */
  greeting(): Promise<string> {
    return vi.waitUntil(async () => /^[^]*Ctrl-C stops/.exec(await this.logs())?.[0], { timeout: 10_000 });
  }

  /** An operation of the compatibility API, as the administrator whose password the first start has printed. */
  async request(operation: string, query: Readonly<Record<string, string>>): Promise<Response> {
    this.#password ||= / Password +(\S+)/.exec(await this.greeting())?.[1] ?? '';
    const login = { u: 'admin', p: this.#password, v: '1.16.1', c: 'home', f: 'json' };
    return fetch(`${this.url}/rest/${operation}?${new URLSearchParams({ ...login, ...query }).toString()}`);
  }

  /** The same, its answer read. @throws Error with the answer's own error */
  async compat<T>(operation: string, query: Readonly<Record<string, string>> = {}): Promise<T> {
    const answer = await this.request(operation, query);
    const { 'subsonic-response': response } = (await answer.json()) as { 'subsonic-response': T & { status: string } };
    if (response.status !== 'ok') throw new Error(`${operation}: ${JSON.stringify(response)}`);
    return response;
  }

  async songIds(): Promise<string[]> {
    const query = { query: '', songCount: '500', artistCount: '0', albumCount: '0' };
    const { searchResult3 } = await this.compat<{ searchResult3: { song?: { id: string }[] } }>('search3', query);
    return (searchResult3.song ?? []).map(({ id }) => id);
  }

  async playlists(): Promise<string[]> {
    return ((await this.compat<Playlists>('getPlaylists')).playlists.playlist ?? []).map(({ name }) => name);
  }

  async end(): Promise<void> {
    await docker('rm', '--force', '--volumes', this.name);
    await docker('volume', 'rm', '--force', this.name);
    await rm(this.music, { recursive: true, force: true });
  }
}

describe.skipIf(missing !== undefined)('the whole server in one container', { timeout: 240_000 }, () => {
  let home: Home;
  let before: string[] = [];
  let acknowledged: readonly string[] = [];

  beforeAll(async () => {
    home = await Home.prepare();
    console.info(`ready ${Math.round(await home.runAsDocumented())} ms after the documented command, with new data`);
  }, 300_000);
  afterAll(() => home.end(), 120_000);

  it('prints an address that sets it up, scans the mounted folder, and becomes healthy', async () => {
    const address = /http:\S+\/account\/setup\S+/.exec(await home.greeting())?.[0] ?? '';
    const { pathname, search } = new URL(address);
    expect((await fetch(`${home.url}${pathname}${search}`)).status).toBe(200);
    await expect.poll(() => home.songIds(), { timeout: 60_000 }).toHaveLength(home.songs);
    before = await home.songIds();
    const health = (): Promise<string> => docker('inspect', '--format', '{{.State.Health.Status}}', home.name);
    await expect.poll(async () => (await health()).trim(), { timeout: 60_000 }).toBe('healthy');
  });

  it('plays a song as it is, and in another format', async () => {
    const id = before[0] ?? '';
    for (const format of ['raw', 'mp3', 'opus']) {
      const answer = await home.request('stream', { id, format });
      expect([format, answer.status]).toEqual([format, 200]);
      expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(1000);
    }
  });

  it('runs under an account of no rights that cannot write the music', async () => {
    expect((await docker('exec', home.name, 'id', '-u')).trim()).toBe('10001');
    await expect(docker('exec', '--user', '0', home.name, 'touch', '/music/x')).rejects.toThrow('Read-only file system');
    await expect(docker('exec', home.name, 'touch', '/app/x')).rejects.toThrow('Permission denied');
  });

  it('has the command line in it', async () => {
    expect(await docker('exec', home.name, 'continuo', 'doctor')).toContain(' 0 failed');
  });

  it('refuses a second container over its volume', async () => {
    const image = `${config.images}standalone:${config.version}`;
    await expect(docker('run', '--rm', '--volume', `${home.name}:/data`, image)).rejects.toThrow('Another container uses the volume');
  });

  it('says who should own a folder that it may not write', async () => {
    const image = `${config.images}standalone:${config.version}`;
    const refused = docker('run', '--rm', '--tmpfs', '/data:mode=755', image);
    await expect(refused).rejects.toThrow('give it to user id 10001');
  });

  it('loses nothing that was acknowledged when the container is killed and started again', async () => {
    const ledger = new Ledger('kept', (name) => home.compat('createPlaylist', { name }));
    try {
      await expect.poll(() => ledger.acknowledged.length).toBeGreaterThan(10);
      await docker('kill', '--signal', 'KILL', home.name);
    } finally {
      await ledger.close();
    }
    await docker('start', home.name);
    await home.untilReady();
    ({ acknowledged } = ledger);
    const audit = async (): Promise<unknown> => ledger.audit(await home.playlists());
    await expect.poll(audit).toEqual({ missing: [], double: [] });
    expect((await home.songIds()).toSorted()).toEqual(before.toSorted());
  });

  it('ends by itself when it is stopped, and goes on in a new container over the volume', async () => {
    await docker('stop', home.name);
    expect((await docker('inspect', '--format', '{{.State.ExitCode}}', home.name)).trim()).toBe('0');
    await docker('rm', home.name);
    console.info(`ready ${Math.round(await home.runAsDocumented())} ms after the documented command, with its data`);
    expect(await home.greeting()).not.toContain('/account/setup');
    expect((await home.songIds()).toSorted()).toEqual(before.toSorted());
    expect(await home.playlists()).toEqual(expect.arrayContaining([...acknowledged]));
  });
});
