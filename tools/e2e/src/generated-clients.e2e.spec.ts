import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isLongForm } from '@continuo/local-servers/test-form';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { config } from './config.js';
import { administrator, Journey } from './journey.js';

/*
 * Clients that generators in Python and Go make of the documents that a server serves. Each adds a catalog, scans it, lists its albums and fetches a song.
 */

const PROGRAMS = fileURLToPath(new URL('../generated-clients', import.meta.url));
/** Packages of the clients, by document. */
const CLIENTS = { manage: 'manage', 'native-8': 'native8' } as const;
const SONG = 'song.mp3';
const { pythonGenerator, goGenerator } = config;

const run = promisify(execFile);
let journey: Journey;
/** Where programs and generated clients are put together. */
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-clients-'));
  journey = await Journey.prepare();
  await journey.start();
  await cp(PROGRAMS, folder, { recursive: true });
  for (const [name, client] of Object.entries(CLIENTS)) {
    await mkdir(join(folder, client));
    await writeFile(join(folder, `${client}.json`), await (await journey.request(`/openapi/${name}.json`)).text());
  }
}, 120_000);
afterAll(async () => {
  await journey.end();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

/** Makes a folder with an album of one song, and answers it with the size of the song, bytes. */
const album = async (title: string): Promise<{ readonly music: string; readonly bytes: number }> => {
  const music = join(journey.music, title);
  await mkdir(music, { recursive: true });
  const tags = ['-metadata', `title=${title}`, '-metadata', 'artist=Somebody', '-metadata', `album=${title}`];
  await run('ffmpeg', ['-loglevel', 'error', '-f', 'lavfi', '-i', 'sine=duration=2', ...tags, join(music, SONG)]);
  return { music, bytes: (await stat(join(music, SONG))).size };
};

/** Runs a client on an album of its own and compares what it found. */
const listen = async (title: string, program: string, args: readonly string[] = []): Promise<void> => {
  const { music, bytes } = await album(title);
  const { stdout } = await run(program, [...args, journey.server.url, administrator.apiKey, music], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual({ scan: 'done', added: 1, albums: expect.arrayContaining([title]), bytes });
};

it.skipIf(pythonGenerator !== undefined)('is NOT done in Python: there is no generator (OPENAPI_PYTHON_CLIENT)', () => undefined);
it.skipIf(goGenerator !== undefined)('is NOT done in Go: there is no generator (OAPI_CODEGEN)', () => undefined);

describe('a client that others generate from the documents compiles, scans, lists and plays', { timeout: 600_000 }, () => {
  it.skipIf(pythonGenerator === undefined)('in Python', async () => {
    const generator = pythonGenerator ?? '';
    const python = join(dirname(generator), 'python3');
    for (const client of Object.values(CLIENTS)) {
      // It warns of operations that it leaves out.
      const strictly = ['--fail-on-warning', '--config', 'generator.yaml', '--meta', 'none', '--overwrite'];
      await run(generator, ['generate', '--path', `${client}.json`, ...strictly, '--output-path', client], { cwd: folder });
    }
    await run(python, ['-m', 'compileall', '-q', ...Object.values(CLIENTS)], { cwd: folder });
    await listen('Python', python, ['listen.py']);
  });

  it.skipIf(goGenerator === undefined || !isLongForm)('in Go', async () => {
    for (const client of Object.values(CLIENTS)) {
      const args = ['-generate', 'types,client', '-package', client, '-o', join(client, 'client.gen.go'), `${client}.json`];
      await run(goGenerator ?? '', args, { cwd: folder });
    }
    await run('env', ['GOPROXY=off', 'GOTOOLCHAIN=local', 'CGO_ENABLED=0', 'go', 'build', '-o', 'listen', '.'], { cwd: folder });
    await listen('Go', join(folder, 'listen'));
  });
});
