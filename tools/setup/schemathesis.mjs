import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cache } from './paths.mjs';
import { say } from './say.mjs';
import { onPath, run, tail } from './shell.mjs';

/** Both make up requests: other releases make up others. */
const PACKAGES = ['schemathesis==4.32.5', 'hypothesis==6.170.15'];

/**
 * The path of schemathesis, for the test that calls all APIs as their documents say; undefined where there is none, and that test says that it did not run. Only where
 * `CONTINUO_TEST_SCHEMATHESIS` is `install`, as in the CI, `pip` fetches it into the cache.
 */
export async function offerSchemathesis() {
  const folder = join(cache, 'schemathesis');
  const program = join(folder, 'bin', 'schemathesis');
  const found = process.env.SCHEMATHESIS_BIN || onPath('schemathesis')[0] || (existsSync(program) ? program : undefined);
  if (found || process.env.CONTINUO_TEST_SCHEMATHESIS !== 'install') return found;
  say('Fetching schemathesis for the test of the documented APIs (once) …');
  for (const [command, ...args] of [
    ['python3', '-m', 'venv', folder],
    [join(folder, 'bin', 'python3'), '-m', 'pip', 'install', '--quiet', ...PACKAGES],
  ]) {
    const { code, output } = await run(command, args, { timeoutMs: 5 * 60_000 });
    if (code === 0) continue;
    say(`schemathesis cannot be had; the test that needs it is skipped (${tail(output, 1)}).`);
    return undefined;
  }
  return program;
}
