import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

const missing = `Neither MEILI_URL nor MEILI_BIN is set: these specs need a Meilisearch server (1.31 or newer) and would have nothing to talk to.

  docker compose -f deploy/compose.meilisearch.yaml up -d
  MEILI_URL=http://127.0.0.1:7700 MEILI_KEY=<its master key> pnpm test:meili
  MEILI_BIN=<path of the program, which is started> pnpm test:meili

They make indexes of their own, whose names begin with "continuo_spec_", and delete them at the end.
`;

/** Runs the suites of the search index against the Meilisearch at `MEILI_URL`, or one that is started from `MEILI_BIN`; arguments go to vitest. */
if (!process.env.MEILI_URL && !process.env.MEILI_BIN) {
  process.stderr.write(missing);
  process.exitCode = 2;
} else {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--project', 'meili', ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
  child.once('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}
