import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const MB = 1024 * 1024;

/** Makes and drops some 300 MB in small objects, in a process of its own: that of the specs is as large as those before have made it. */
const program = `
  import { collectWhenIdle } from ${JSON.stringify(new URL('idle-garbage.ts', import.meta.url).href)};
  import { setTimeout } from 'node:timers/promises';
  collectWhenIdle(100);
  const work = () => Array.from({ length: 3_000_000 }, (_, index) => ({ name: 'song ' + index, plays: [index] })).length;
  work();
  const afterwards = process.memoryUsage.rss();
  const endAt = Date.now() + 20_000;
  while (process.memoryUsage.rss() > afterwards - 100 * ${MB} && Date.now() < endAt) await setTimeout(50);
  console.log(afterwards - process.memoryUsage.rss());`;

it('gives the memory of large work back when it is over', { timeout: 30_000 }, () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(Number(stdout)).toBeGreaterThan(100 * MB);
});
