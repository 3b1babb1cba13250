import { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import timersPromises from 'node:timers/promises';

/**
 * Counts what a process does by itself: calls of timers by interval and file, and messages to its servers. Loaded before the process (`node --import`); each SIGUSR2 writes the counts
 * since the last one to the file `IDLE_PROBE_FILE`.
 */
let timers = {};
let messages = {};

/** File of a stack that is not Node's own: of this repository if there is one, else the package. */
const placeOf = (stack) => {
  const paths = stack
    .split('\n')
    .slice(2)
    .filter((line) => !line.includes('node:') && !line.includes('idle-probe'))
    .map((line) => /(?:file:\/\/)?(\/[^():]+)/.exec(line)?.[1] ?? '')
    // What only hands on is not the reason.
    .filter((path) => !/\/chassis\/dist\/(?:every|pause|retry)\.js$/.test(path));
  const path = paths.find((each) => !each.includes('node_modules')) ?? paths[0] ?? '';
  const [, inPackage] = /\/node_modules\/\.pnpm\/(?:[^/]+\/node_modules\/)((?:@[^/]+\/)?[^/]+)/.exec(paths[0] ?? '') ?? [];
  const [, own] = /\/((?:services|tools|contracts)\/.+)$/.exec(path) ?? [];
  return inPackage ?? own?.replace('/dist/', '/src/').replace(/\.js$/, '.ts') ?? path;
};

const count = (ms, place) => {
  const key = `${Math.round(ms / 100) / 10} s, ${place}`;
  timers[key] = (timers[key] ?? 0) + 1;
};

const counting = (plain) =>
  Object.assign((work, ms = 0, ...rest) => {
    const place = placeOf(new Error('where').stack ?? '');
    return plain(
      (...args) => {
        count(ms, place);
        return work(...args);
      },
      ms,
      ...rest,
    );
  }, plain);

globalThis.setInterval = counting(globalThis.setInterval);
globalThis.setTimeout = counting(globalThis.setTimeout);
const plainPause = timersPromises.setTimeout;
timersPromises.setTimeout = async (ms = 0, ...rest) => {
  const place = placeOf(new Error('where').stack ?? '');
  const value = await plainPause(ms, ...rest);
  count(ms, place);
  return value;
};
syncBuiltinESMExports();

// oxlint-disable-next-line typescript/unbound-method -- called with its socket below
const plainWrite = Socket.prototype.write;
Socket.prototype.write = function write(...args) {
  // Postgres is reached by its Unix socket, which has no port.
  const to = this.remotePort === undefined ? 'postgres' : 'nats';
  messages[to] = (messages[to] ?? 0) + 1;
  return plainWrite.apply(this, args);
};

// oxlint-disable-next-line node/no-process-env -- the process that it is loaded into knows nothing of it
const { IDLE_PROBE_FILE = 'idle.json' } = process.env;
process.on('SIGUSR2', () => {
  writeFileSync(IDLE_PROBE_FILE, JSON.stringify({ timers, messages }));
  timers = {};
  messages = {};
});
