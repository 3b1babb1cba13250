import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { startPlugins } from '../../test/started-plugin.js';
import type { PluginHost } from './plugin-host.js';

const misbehaving = fileURLToPath(new URL('../../test/host/misbehaving.mjs', import.meta.url));
const hosts: PluginHost[] = [];
const folders: string[] = [];
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.stop()));
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

const start = async (...args: Parameters<typeof startPlugins>): Promise<PluginHost> => {
  const host = await startPlugins(...args);
  hosts.push(host);
  return host;
};
const asking = (host: PluginHost, name: string, timeoutMs = 20_000) =>
  host.askAll({ part: 'metadata', function: 'artist', query: { name }, timeoutMs });
const fault = async (host: PluginHost, name: string, timeoutMs = 20_000): Promise<unknown> => {
  const error: unknown = await host
    .named('misbehaving')
    ?.ask('metadata', 'artist', { name }, timeoutMs)
    .catch((reason: unknown) => reason);
  return error;
};
const pluginText = (fields: string): string =>
  `export default { apiVersion: 1, name: 'own', title: 'Own', version: '1', sends: 'Nothing.', ${fields} };`;
const folderWith = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'plugins-'));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
};

describe('plug-ins', () => {
  it('are asked in threads, with their settings', async () => {
    const host = await start([misbehaving], { misbehaving: { word: 'good day' } });
    expect(await asking(host, 'Ada')).toEqual([
      { plugin: 'misbehaving', title: 'Misbehaving', answer: { summary: 'good day', tags: ['1'] } },
    ]);
    expect(host.having('metadata', 'artist').map(({ name }) => name)).toEqual(['misbehaving']);
    expect(host.having('metadata', 'album')).toEqual([]);
    expect(host.states()).toEqual({ 'plugin-misbehaving': 'ready' });
  });

  it('tell how they are, and their settings without secrets', async () => {
    const settings = `settings: { key: { about: 'A key.', secret: true, required: true }, word: { about: 'A word.', default: 'hello' } }`;
    const text = pluginText(`${settings}, start: () => ({ metadata: { artist: () => { throw new Error('no luck'); } } })`);
    const own = join(await folderWith({ 'own.mjs': text }), 'own.mjs');
    const host = await start([own, 'nowhere'], { own: { key: 'confidential' } });
    expect(host.health()).toMatchObject([
      {
        name: 'own',
        functions: ['metadata.artist'],
        state: 'ready',
        restsUntilMs: null,
        problem: null,
        maxHeapMb: 128,
        asked: 0,
        failed: 0,
      },
      { name: 'nowhere', title: 'nowhere', state: 'unusable', problem: expect.any(String), settings: [] },
    ]);
    expect(host.health()[0]?.settings).toEqual([
      { name: 'key', about: 'A key.', value: null, isSet: true, isSecret: true, isRequired: true },
      { name: 'word', about: 'A word.', value: 'hello', isSet: false, isSecret: false, isRequired: false },
    ]);
    for (let time = 0; time < 4; time += 1) await asking(host, 'Ada');
    expect(host.health()[0]).toMatchObject({
      state: 'resting',
      restsUntilMs: expect.any(Number),
      asked: 4,
      failed: 4,
      problem: expect.stringContaining('no luck'),
    });
    expect(JSON.stringify(host.health())).not.toContain('confidential');
  });

  it('cannot read the environment of the server', async () => {
    const host = await start([misbehaving]);
    expect(await asking(host, 'environment')).toMatchObject([{ answer: { summary: '{}' } }]);
  });

  it.each(['throws', 'dies', 'late-error', 'function', 'hog', 'elsewhere'])(
    'that fail (%s) give no answer, and the next one',
    async (way) => {
      const host = await start([misbehaving]);
      expect(await asking(host, way)).toEqual([]);
      expect(await asking(host, 'Ada')).toMatchObject([{ answer: { summary: 'hello' } }]);
    },
  );

  it.each(['hangs', 'loops'])('time out (%s), and answer again later', async (way) => {
    const host = await start([misbehaving]);
    expect(await fault(host, way, 100)).toMatchObject({ name: 'PluginFault', kind: 'timeout' });
    await expect.poll(() => asking(host, 'Ada', 5000), { timeout: 30_000 }).toMatchObject([{ answer: { summary: 'hello' } }]);
  });

  it('that keep failing are suspended, while others go on', async () => {
    const folder = await folderWith({
      'own.mjs': pluginText("start: () => ({ metadata: { artist: async () => ({ summary: 'fine' }) } })"),
    });
    const host = await start([misbehaving, join(folder, 'own.mjs')]);
    for (let times = 0; times < 4; times += 1) expect(await fault(host, 'throws')).toMatchObject({ kind: 'failed' });
    expect(await fault(host, 'Ada')).toMatchObject({ kind: 'resting' });
    expect(await asking(host, 'Ada')).toMatchObject([{ plugin: 'own' }]);
    expect(host.states()).toMatchObject({ 'plugin-misbehaving': expect.stringMatching(/^rests until /), 'plugin-own': 'ready' });
  });

  it.each([
    ['another-interface', pluginText('start: () => ({})').replace('apiVersion: 1', 'apiVersion: 2'), /another version of the interface/],
    ['no-plug-in', 'export const a = 1;', /no default export that is a plug-in/],
    ['syntax', 'export default {', /./],
    ['bad-name', pluginText('start: () => ({})').replace("'own'", "'../own'"), /its name is not/],
    ['does-not-start', pluginText("start: () => { throw new Error('no licence'); }"), /no licence/],
    [
      'needs-a-key',
      pluginText("settings: { key: { about: 'Get one there', required: true } }, start: () => ({})"),
      /needs the setting key: Get one there/,
    ],
    ['dies', 'process.exit(1)', /its thread ended/],
  ])('that cannot be used (%s) leave the others alone', async (name, text, reason) => {
    const folder = await folderWith({ [`${name}.mjs`]: text });
    const path = join(folder, `${name}.mjs`);
    const host = await start([path, misbehaving, 'no-such-plug-in']);
    expect(await asking(host, 'Ada')).toMatchObject([{ plugin: 'misbehaving' }]);
    expect(host.states()[`plugin-${path}`]).toMatch(reason);
    expect(host.states()['plugin-no-such-plug-in']).toMatch(/^unusable: /);
  });

  it('know their settings', async () => {
    const host = await start([misbehaving], { misbehaving: { wurd: 'secret' } });
    expect(host.states()).toEqual({ [`plugin-${misbehaving}`]: 'unusable: it has no setting wurd' });
  });

  it('are packages of the folder of plug-ins, or folders', async () => {
    const own = pluginText("start: () => ({ lyrics: { find: async () => ({ plain: 'la' }) } })");
    const folder = await folderWith({
      'node_modules/@acme/lyrics/package.json': JSON.stringify({ name: '@acme/lyrics', type: 'module', exports: './index.js' }),
      'node_modules/@acme/lyrics/index.js': own,
      'here/package.json': JSON.stringify({ name: 'here', type: 'module', exports: './index.js' }),
      'here/index.js': own.replace("'own'", "'other'"),
    });
    const config = { PLUGINS: ['@acme/lyrics', join(folder, 'here')], PLUGIN_SETTINGS: {}, PLUGINS_FOLDER: folder };
    const host = await start([], {}, { config: { ...config, PLUGIN_TIMEOUT_MS: 10_000, CONTINUO_DATA: folder } });
    expect(host.states()).toEqual({ 'plugin-own': 'ready', 'plugin-other': 'ready' });
    const question = { part: 'lyrics', function: 'find', query: { title: 'a' } } as const;
    expect((await host.askAll(question)).map(({ plugin }) => plugin)).toEqual(['own', 'other']);
    expect(await host.askFirst(question, (answer) => answer as { plain: string })).toMatchObject({
      plugin: 'own',
      answer: { plain: 'la' },
    });
  });

  it('without a wanted part are not kept running', async () => {
    const host = await start([misbehaving], {}, { parts: ['sonic'] });
    expect(host.named('misbehaving')).toBeUndefined();
  });
});
