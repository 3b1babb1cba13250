import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { config } from '../config.js';
import { LocalServerError } from '../error.js';

const run = promisify(execFile);

/** Older servers lack sound atomic batches or let two writers win one expected sequence. */
export const requiredNatsVersion = '2.12.4';

/** A nats-server program and what it says its version is. */
export interface NatsBinary {
  readonly path: string;
  /** Such as `2.15.1`. */
  readonly version: string;
}

/**
 * Finds a nats-server that is new enough: the given path or `NATS_SERVER_BIN` and nothing else when one of them is set;
 * otherwise PATH, then the `.cache/nats-server` folder of the checkout, where the set-up puts it.
 * @throws LocalServerError when there is none, or the one that was asked for is too old
 */
export async function locateNats(serverBin: string | undefined = config.natsServerBin): Promise<NatsBinary> {
  if (serverBin !== undefined) {
    const chosen = await probe(serverBin);
    if (chosen && isNewEnough(chosen.version)) return chosen;
    const why = chosen ? `is version ${chosen.version}` : 'cannot be run';
    throw new LocalServerError(`the nats-server at ${serverBin} ${why}; Continuo needs ${requiredNatsVersion} or newer`);
  }
  const seen: string[] = [];
  for (const path of candidates()) {
    const found = await probe(path);
    if (found && isNewEnough(found.version)) return found;
    if (found) seen.push(`${path} is ${found.version}`);
  }
  const tooOld = seen.length > 0 ? ` (${seen.join(', ')})` : '';
  throw new LocalServerError(
    `no nats-server ${requiredNatsVersion} or newer found${tooOld}; run "npm start" once to fetch it, or set NATS_SERVER_BIN`,
  );
}

/** Finds the nats-server of `NATS_NEWER_BIN`. @throws LocalServerError when none is named, or it is too old */
export async function locateNewerNats(): Promise<NatsBinary> {
  if (config.natsNewerBin === undefined) throw new LocalServerError('NATS_NEWER_BIN names no nats-server');
  return locateNats(config.natsNewerBin);
}

/** Whether a version such as `2.15.1` reaches the required one. Letters after the numbers (`-beta`) are not looked at. */
export function isNewEnough(version: string, required: string = requiredNatsVersion): boolean {
  const [have, need] = [version, required].map((text) => text.split('.').map((part) => Number.parseInt(part, 10) || 0));
  for (let place = 0; place < 3; place += 1) {
    const difference = (have?.[place] ?? 0) - (need?.[place] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

function* candidates(): Generator<string> {
  const name = process.platform === 'win32' ? 'nats-server.exe' : 'nats-server';
  for (const folder of config.pathFolders) yield join(folder, name);
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder))
    yield join(folder, '.cache', 'nats-server', name);
}

async function probe(path: string): Promise<NatsBinary | undefined> {
  try {
    await access(path, constants.X_OK);
    const { stdout } = await run(path, ['-v'], { timeout: 10_000 });
    const version = /v?(\d+\.\d+\.\d+\S*)/.exec(stdout)?.[1];
    return version === undefined ? undefined : { path, version };
  } catch {
    // Absent, not executable or broken all mean the same for the search: not this one.
    return undefined;
  }
}
