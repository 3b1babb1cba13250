import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServerProcess } from '../child/server-process.js';
import { untilAnswering } from '../child/until-answering.js';
import { LocalServerError } from '../error.js';
import { freePort } from '../free-port.js';
import { locateMpd } from './locate-mpd.js';

/** A Music Player Daemon of a test. */
export interface TestMpd {
  readonly host: '127.0.0.1';
  readonly port: number;
  /** Returns the last lines of its output. */
  readonly lastLines: () => string;
  readonly stop: () => Promise<void>;
}

/** Settings of the operator. */
interface MpdOptions {
  readonly password?: string;
  /** A free one when left out. */
  readonly port?: number;
  /** The tags that it keeps, with commas between; its usual ones when left out. */
  readonly tags?: string;
}

const PATIENCE = { withinMs: 15_000, pauseMs: 50 };

/** It plays in real time into nothing, and has a volume. */
const configText = (port: number, { password, tags }: MpdOptions): string =>
  [
    'bind_to_address "127.0.0.1"',
    `port "${port}"`,
    'zeroconf_enabled "no"',
    'auto_update "no"',
    ...(password === undefined
      ? []
      : [`password "${password.replace(/["\\]/g, '\\$&')}@read,add,control,admin"`, 'default_permissions ""']),
    ...(tags === undefined ? [] : [`metadata_to_use "${tags}"`]),
    'audio_output {',
    '  type "null"',
    '  name "nothing"',
    '  mixer_type "software"',
    '}',
    '',
  ].join('\n');

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });

/**
 * Starts an `mpd` that plays into nothing, on a free port of 127.0.0.1; no sound hardware is needed.
 * @throws LocalServerError when there is no program ({@link locateMpd}) or it does not start
 */
export const testMpd = async (options: MpdOptions = {}): Promise<TestMpd> => {
  const bin = locateMpd();
  if (bin === undefined) throw new LocalServerError('no mpd found; install it (Debian: "apt-get install mpd") or set MPD_BIN');
  const folder = await mkdtemp(join(tmpdir(), 'continuo-mpd-'));
  const port = options.port ?? (await freePort());
  const file = join(folder, 'mpd.conf');
  await writeFile(file, configText(port, options));
  const args = ['--no-daemon', '--stderr', file];
  const child = await startServerProcess({ name: 'mpd', bin, args, cwd: folder, stopSignal: 'TERM', removeAfterCrash: folder });
  const stop = async (): Promise<void> => {
    await child.stop();
    await rm(folder, { recursive: true, force: true });
  };
  await untilAnswering('mpd', child, () => answers(port), PATIENCE);
  return { host: '127.0.0.1', port, lastLines: child.lastLines, stop };
};
