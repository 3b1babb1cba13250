import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { pinnedNode, root } from './paths.mjs';
import { SetupError } from './say.mjs';

const repeatMs = 1_000;
const parentCheckMs = 300;

/**
 * Runs a built program on the pinned Node, or on another one, until it ends and answers its exit code (128 + number for a signal).
 *
 * A server (`ownSession: true`) gets a session of its own, so that Ctrl-C does not hit it directly: terminal, npm and we would
 * each send the signal, and a second one could be taken for impatience. We pass on one signal of a kind per second.
 * A command line tool stays in the terminal's session, because it may ask for a password.
 * @param options.environment variables that the user's own beat
 */
export function launch(script, args, { node = pinnedNode, env, ownSession, nodeOptions = [], environment = {} }) {
  const path = join(root, script);
  if (!existsSync(path)) throw new SetupError(`${relative(root, path)} does not exist yet; it is not part of this version.`);
  const child = spawn(node, [...unlessSet(nodeOptions), path, ...args], {
    cwd: userFolder(),
    env: { ...environment, ...process.env, ...env, CONTINUO_DATA: dataFolder() },
    stdio: 'inherit',
    detached: ownSession,
  });
  forwardSignals(child, ownSession ? ['SIGINT', 'SIGTERM', 'SIGHUP'] : ['SIGTERM', 'SIGHUP'], ownSession ? [] : ['SIGINT']);
  if (process.env.npm_lifecycle_event) endWithParent(child);
  return new Promise((done, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => done(code ?? 128 + constants.signals[signal]));
  });
}

/** Options of Node's command line beat those of the environment; whoever sets one there wants it. */
function unlessSet(nodeOptions) {
  return nodeOptions.filter((option) => !process.env.NODE_OPTIONS?.includes(option.split('=')[0]));
}

/** Folders on the command line are relative to where the user is; npm moves to the checkout but notes where it was. */
function userFolder() {
  return process.env.INIT_CWD ?? process.cwd();
}

/** The data must not depend on where the program is started from. */
function dataFolder() {
  return process.env.CONTINUO_DATA ? resolve(userFolder(), process.env.CONTINUO_DATA) : join(root, 'data');
}

function forwardSignals(child, forwarded, ignored) {
  const lastAt = new Map();
  for (const name of forwarded) {
    process.on(name, () => {
      if (Date.now() - (lastAt.get(name) ?? 0) < repeatMs) return;
      lastAt.set(name, Date.now());
      child.kill(name);
    });
  }
  // The terminal delivers these to the child itself; we only must not die before it.
  for (const name of ignored) process.on(name, () => undefined);
}

/**
 * "kill <npm>" reaches npm and the shell that npm puts between itself and us, but not us: the server would go on unseen.
 * So the end of that shell means SIGTERM. Started without npm we leave this alone; a parent may then go away on purpose.
 */
function endWithParent(child) {
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    child.kill('SIGTERM');
  }, parentCheckMs);
  check.unref();
}
