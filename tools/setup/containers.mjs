import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pinnedNode, root } from './paths.mjs';
import { say } from './say.mjs';
import { onPath, run, tail } from './shell.mjs';

const PACKAGES = ['docker.io', 'debootstrap', 'iptables'];
const ENGINE_START_MS = 60_000;

/** Names of the images that tools/local-images makes, as the suites take them. */
const localImages = {
  CONTINUO_IMAGES: 'continuo.local/continuo-',
  CONTINUO_VERSION: 'latest',
  NATS_IMAGE: 'continuo.local/nats:2',
  POSTGRES_IMAGE: 'continuo.local/postgres:18',
};

/**
 * What the tests in containers need: an engine and images. Everywhere else they use the engine and the published images that are there, when `CONTINUO_TEST_CONTAINERS` is set at
 * all. Only where it is `build`, as in the CI, and root may, Docker is installed with apt and started, and the images are made of this checkout, which has to be built.
 * Answers `{ env, stop }`; what cannot be had is said, and those tests are skipped.
 */
export async function offerContainers() {
  const nothing = { env: {}, stop: () => undefined };
  if (process.env.CONTINUO_TEST_CONTAINERS !== 'build') return nothing;
  const skipped = (why) => {
    say(`There are no containers to test in; those tests are skipped (${why}).`);
    return { ...nothing, env: { CONTINUO_TEST_CONTAINERS: '' } };
  };
  if (process.getuid?.() !== 0 || onPath('apt-get').length === 0) return skipped('root on a Debian is needed to install Docker');
  const installed = await install();
  if (installed !== undefined) return skipped(installed);
  const engine = await startEngine();
  if (engine === undefined) return skipped('dockerd did not start');
  say('Making the images of this checkout …');
  const images = await run(pinnedNode, [join(root, 'tools/local-images/main.mjs')], { timeoutMs: 20 * 60_000 });
  if (images.code === 0) return { env: { ...localImages, TESTCONTAINERS_RYUK_DISABLED: 'true' }, stop: engine };
  await engine();
  return skipped(tail(images.output, 3));
}

async function install() {
  if (onPath('dockerd').length > 0 && onPath('debootstrap').length > 0) return undefined;
  say('Installing Docker with apt-get for the tests in containers (once) …');
  const aptGet = (...args) => run('apt-get', args, { env: { DEBIAN_FRONTEND: 'noninteractive' }, timeoutMs: 10 * 60_000 });
  const command = ['install', '-y', '--no-install-recommends', ...PACKAGES];
  let result = await aptGet(...command);
  if (result.code !== 0) {
    await aptGet('update');
    result = await aptGet(...command);
  }
  return result.code === 0 ? undefined : tail(result.output, 1);
}

const answers = async () => (await run('/usr/bin/docker', ['version'], { timeoutMs: 10_000 })).code === 0;

/** Starts dockerd unless one answers. Answers how it is ended, or undefined when it does not come up. */
async function startEngine() {
  if (await answers()) return () => undefined;
  const engine = spawn('dockerd', [], { stdio: 'ignore' });
  const ended = new Promise((resolve) => engine.once('close', resolve));
  engine.once('error', () => undefined);
  const stop = async () => {
    engine.kill('SIGTERM');
    await ended;
  };
  for (const until = Date.now() + ENGINE_START_MS; Date.now() < until;) {
    if (engine.exitCode !== null) return undefined;
    if (await answers()) return stop;
    await new Promise((done) => setTimeout(done, 500));
  }
  await stop();
  return undefined;
}
