import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordedService } from '../../test/recorded-service.js';
import { startPlugins } from '../../test/started-plugin.js';

const page = new URL('../../../../docs/how-to/write-a-plugin.md', import.meta.url);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shelf-'));
  const text = await readFile(page, 'utf8');
  const block = (language: string): string => new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(text)?.[1] ?? '';
  await writeFile(join(folder, 'index.js'), block('js'));
  await writeFile(join(folder, 'package.json'), block('json'));
});
afterAll(() => rm(folder, { recursive: true }));

it('the plug-in of the page about writing plug-ins does what the page says', async () => {
  const query = { artist: 'Ada & the Engines', title: 'Loom' };
  const service = await recordedService([{ path: '/songs', query, json: { words: 'over\nand under' } }]);
  const host = await startPlugins([folder], { shelf: { url: service.url, token: 't0ken' } });
  try {
    const question = { part: 'lyrics', function: 'find' } as const;
    expect(await host.askAll({ ...question, query })).toEqual([
      { plugin: 'shelf', title: 'My shelf', answer: { plain: 'over\nand under' } },
    ]);
    expect(await host.askAll({ ...question, query: { ...query, title: 'Other' } })).toEqual([]);
    expect(await host.askAll({ ...question, query: { title: 'Loom' } })).toEqual([]);
    expect(service.asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer t0ken', 'Bearer t0ken']);
    expect(host.states()).toEqual({ 'plugin-shelf': 'ready' });
  } finally {
    await host.stop();
    await service.stop();
  }
});
