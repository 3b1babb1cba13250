import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

/** A program that writes for as long as it is read. */
const program = `
  import { endWithReader } from ${JSON.stringify(new URL('closed-pipe.ts', import.meta.url).href)};
  endWithReader(process.stdout);
  setInterval(() => process.stdout.write('line\\n'), 1);
`;

it('a program ends without a word when its reader has gone', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'pipe'] });
  const said = text(child.stderr);
  await once(child.stdout, 'data');
  child.stdout.destroy();
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(await said).toBe('');
});
