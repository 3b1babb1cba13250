import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cache, root } from './paths.mjs';
import { say } from './say.mjs';
import { onPath, run, tail } from './shell.mjs';

const PYTHON_GENERATOR = 'openapi-python-client==0.29.1';
const GO_GENERATOR = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const MOST_MS = 10 * 60_000;

/**
 * Generators of clients in Python and Go, for the tests that generate some from our documents: `OPENAPI_PYTHON_CLIENT` and `OAPI_CODEGEN`. Undefined where one is missing, and
 * its test says that it did not run. Only where `CONTINUO_TEST_CLIENTS` is `install`, as in the CI, they are fetched with `pip` and `go` into the cache.
 */
export async function offerClientGenerators() {
  const folder = join(cache, 'client-generators');
  const python =
    process.env.OPENAPI_PYTHON_CLIENT || (await fetched(join(folder, 'bin/openapi-python-client'), () => installPython(folder)));
  const go = process.env.OAPI_CODEGEN || (await fetched(join(folder, 'bin/oapi-codegen'), () => installGo(folder)));
  return { ...(python ? { OPENAPI_PYTHON_CLIENT: python } : {}), ...(go ? { OAPI_CODEGEN: go } : {}) };
}

async function fetched(program, install) {
  if (existsSync(program)) return program;
  if (process.env.CONTINUO_TEST_CLIENTS !== 'install') return undefined;
  say(`Fetching ${program.split('/').at(-1)} for the tests of generated clients (once) …`);
  const failed = await install();
  if (!failed && existsSync(program)) return program;
  say(`It cannot be had; the test that needs it is skipped (${failed ? tail(failed.output, 1) : 'nothing came'}).`);
  return undefined;
}

/** Runs commands one after the other. Answers the first that fails. */
async function steps(...commands) {
  for (const [program, args, options] of commands) {
    const result = await run(program, args, { timeoutMs: MOST_MS, ...options });
    if (result.code !== 0) return result;
  }
  return undefined;
}

const installPython = (folder) =>
  steps(
    ['python3', ['-m', 'venv', folder]],
    [join(folder, 'bin/python3'), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', PYTHON_GENERATOR]],
  );

/** The clients are compiled later without the network, so what they import is fetched too, and first. */
function installGo(folder) {
  if (onPath('go').length === 0) return { output: 'there is no go' };
  return steps(
    ['go', ['mod', 'download'], { cwd: join(root, 'tools/e2e/generated-clients') }],
    ['go', ['install', GO_GENERATOR], { env: { GOBIN: join(folder, 'bin'), CGO_ENABLED: '0' } }],
  );
}
