import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureEngine } from './engine.mjs';
import { pinnedNode, root, toolchainPath } from './paths.mjs';
import { say } from './say.mjs';
import { onPath, run, tail } from './shell.mjs';

const PACKAGES = ['docker.io', 'mmdebstrap', 'iptables'];
/** With an ffmpeg that is built anew. */
const IMAGES_MS = 40 * 60_000;

/** Names of the images that tools/local-images makes, as the suites take them. */
const localImages = {
  CONTINUO_IMAGES: 'continuo.local/continuo-',
  CONTINUO_VERSION: 'latest',
  NATS_IMAGE: 'continuo.local/nats:2',
  POSTGRES_IMAGE: 'continuo.local/postgres:18',
};

/**
 * Provides the tests in containers with an engine and images. Everywhere else they use the engine and the published images that are there, when `CONTINUO_TEST_CONTAINERS` is set at
 * all. Only where it is `build`, as in the CI, and root may, Docker is installed with apt and started over a folder of its own, and the images are made of this checkout, which has
 * to be built. Answers `{ env, stop }`; what cannot be had is said, and those tests are skipped. Never rejects.
 */
export async function offerContainers(env) {
  if (process.env.CONTINUO_TEST_CONTAINERS !== 'build') return { env: {}, stop: () => undefined };
  try {
    return await makeContainers(env);
  } catch (error) {
    return skipped(String(error?.message ?? error));
  }
}

function skipped(why) {
  say(`There are no containers to test in; those tests are skipped (${why}).`);
  return { env: { CONTINUO_TEST_CONTAINERS: '' }, stop: () => undefined };
}

async function makeContainers(env) {
  if (process.getuid?.() !== 0 || onPath('apt-get').length === 0) return skipped('root on a Debian is needed to install Docker');
  const missing = await install();
  if (missing) return skipped(`Docker could not be installed: ${missing}`);
  const folder = mkdtempSync(join(tmpdir(), 'continuo-docker-'));
  const engine = await ensureEngine(folder);
  const stop = async () => {
    await engine.stop?.();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 });
  };
  const why = engine.problem ?? (await makeImages(env));
  if (why === undefined) return { env: { ...localImages, TESTCONTAINERS_RYUK_DISABLED: 'true' }, stop };
  await stop();
  return skipped(why);
}

/** Answers why Docker cannot be had; undefined when it is there. */
async function install() {
  if (onPath('dockerd').length > 0 && onPath('mmdebstrap').length > 0) return undefined;
  say('Installing Docker with apt-get for the tests in containers (once) …');
  // Debian starts what it installs; here nothing is to run but what these tests start and end.
  const settings = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const aptGet = (...args) => run('apt-get', args, { env: settings, timeoutMs: 10 * 60_000 });
  const command = ['install', '-y', '--no-install-recommends', ...PACKAGES];
  let result = await aptGet(...command);
  if (result.code !== 0) {
    await aptGet('update');
    result = await aptGet(...command);
  }
  return result.code === 0 ? undefined : tail(result.output, 1);
}

/** Answers why the images cannot be made; undefined when they are. To build their own ffmpeg takes as long as a tenth of all tests, and is left to the long form. */
async function makeImages(env) {
  say('Making the images of this checkout …');
  const isLong = Boolean(env.CONTINUO_TEST_LONG ?? process.env.CONTINUO_TEST_LONG);
  const settings = { PATH: toolchainPath(), ...env, ...(!isLong && { LOCAL_IMAGES_FFMPEG: 'debian' }) };
  // Tests that run meanwhile have limits of time.
  const command = ['-n', '10', pinnedNode, join(root, 'tools/local-images/main.mjs')];
  const { code, output } = await run('nice', command, { env: settings, timeoutMs: IMAGES_MS });
  return code === 0 ? undefined : `the images could not be made: ${tail(output, 3)}`;
}
