import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { offerBrowser, offerFirefox } from './browser.mjs';
import { build, compile } from './build.mjs';
import { offerChartTools } from './chart-tools.mjs';
import { offerClientGenerators } from './client-generators.mjs';
import { ensureFfmpeg } from './ffmpeg.mjs';
import { launch } from './launch.mjs';
import { exclusively } from './lock.mjs';
import { offerMpd } from './mpd.mjs';
import { ensureNats } from './nats.mjs';
import { ensurePackages } from './packages.mjs';
import { cache, root, toolchainPath } from './paths.mjs';
import { say, SetupError } from './say.mjs';
import { offerSchemathesis } from './schemathesis.mjs';
import { runTests } from './test.mjs';
import { ensureToolchain } from './toolchain.mjs';

/**
 * Options of Node and environment variables for a server that is everything in one process. Left alone, Node lets garbage gather for as long as the machine has memory:
 * twice as much as is needed, and no faster; and the C library keeps free memory for each thread (decision 0115).
 */
const server = JSON.parse(readFileSync(join(root, 'tools/standalone/process.json'), 'utf8'));

/** Node keeps what it compiled of the command line for the next command. */
const commandLine = { NODE_COMPILE_CACHE: join(cache, 'compiled') };

/** Programs behind `npm start`, `npm run continuo`, `npm run bench`, `npm test` and `npm run release`. Each answers an exit code. */
const tasks = {
  start: (args, env) => launch('tools/standalone/bundle/main.js', args, { env, ownSession: true, ...server }),
  continuo: (args, env) => launch('tools/standalone/bundle/continuo.js', args, { env, ownSession: false, environment: commandLine }),
  bench: (args, env) => launch('tools/bench/dist/main.js', args, { env, ownSession: false }),
  test: (args, env) => runTests(args, env),
  release: (args, env) => launch('tools/release/main.mjs', args, { env, ownSession: false }),
};

async function setUp(task, args) {
  await ensureToolchain();
  await ensurePackages();
  // Type errors are one of the results that a test run counts.
  if (task !== 'test') await build();
  // Neither is in the bundle: the benchmarks, and what writes examples of the events that the services know.
  if (task === 'bench' || task === 'release') await compile();
  const env = { PATH: toolchainPath() };
  // The command line finds running servers; a restore starts them itself.
  if (task === 'continuo' && args.includes('restore')) return { ...env, NATS_SERVER_BIN: await ensureNats() };
  if (task === 'continuo' || task === 'release') return env;
  const [nats, ffmpeg] = [await ensureNats(), await ensureFfmpeg()];
  const ffprobe = process.env.FFPROBE_PATH || join(dirname(ffmpeg), process.platform === 'win32' ? 'ffprobe.exe' : 'ffprobe');
  const serving = { ...env, NATS_SERVER_BIN: nats, FFMPEG_PATH: ffmpeg, FFPROBE_PATH: ffprobe };
  return task === 'test' ? { ...serving, ...(await forTests()) } : serving;
}

/** Installs programs that only some tests need. */
async function forTests() {
  const [{ mpd, chromium, firefox }, schemathesis, chartTools, clientGenerators] = await Promise.all([
    byApt(),
    offerSchemathesis(),
    offerChartTools(),
    offerClientGenerators(),
  ]);
  return {
    ...(mpd ? { MPD_BIN: mpd } : {}),
    ...(chromium ? { CHROMIUM_BIN: chromium } : {}),
    ...(firefox ? { FIREFOX_BIN: firefox } : {}),
    ...(schemathesis ? { SCHEMATHESIS_BIN: schemathesis } : {}),
    ...chartTools,
    ...clientGenerators,
  };
}

/** One after the other: apt works for one at a time. */
async function byApt() {
  return { mpd: await offerMpd(), chromium: await offerBrowser(), firefox: await offerFirefox() };
}

async function main([task, ...args]) {
  if (!Object.hasOwn(tasks, task ?? ''))
    throw new SetupError(`Usage: node tools/setup/run.mjs ${Object.keys(tasks).join('|')} [arguments]`);
  const env = await exclusively(() => setUp(task, args));
  return tasks[task](args, env);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  say(error instanceof SetupError ? error.message : String(error?.stack ?? error));
  // Readers of a test run look for this line.
  if (process.argv[2] === 'test') process.stdout.write('0 passed, 1 failed\n');
  process.exitCode = 1;
}
