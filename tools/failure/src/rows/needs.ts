import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { RowRequirement } from './row.js';

const run = promisify(execFile);

const works = async (bin: string, ...args: string[]): Promise<boolean> => {
  try {
    await run(bin, args);
    return true;
  } catch {
    // Not there, or not allowed: both mean that it is not to be had.
    return false;
  }
};

const exists = async (path: string): Promise<boolean> => {
  try {
    await access(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

const isRoot = (): Promise<boolean> => Promise.resolve(process.getuid?.() === 0);

/** Check of each requirement, and the message when it is missing. */
const needs: Readonly<Record<RowRequirement, { readonly has: () => Promise<boolean>; readonly without: string }>> = {
  root: { has: isRoot, without: 'needs root' },
  namespaces: {
    has: async () => (await isRoot()) && (await works('unshare', '--net', 'true')) && (await works('ip', 'netns', 'list')),
    without: 'needs network namespaces (root, iproute2)',
  },
  iptables: { has: async () => (await isRoot()) && (await works('unshare', '--net', 'iptables', '-L')), without: 'needs iptables' },
  tmpfs: {
    has: async () => (await isRoot()) && (await works('unshare', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt')),
    without: 'needs to mount a tmpfs (root)',
  },
  loop: {
    has: async () =>
      (await isRoot()) && (await exists('/dev/loop-control')) && (await works('losetup', '--find')) && (await works('mkfs.ext4', '-V')),
    without: 'needs loop devices, mkfs.ext4 and perl (root)',
  },
  faketime: { has: async () => (await works('dpkg-deb', '--version')) && (await works('apt-get', '--version')), without: 'needs apt' },
  ffmpeg: { has: () => works('ffmpeg', '-version'), without: 'needs ffmpeg' },
};

/** Returns the missing requirement of a row as a sentence; undefined when all are met. */
export const missing = async (wanted: readonly RowRequirement[]): Promise<string | undefined> => {
  for (const need of wanted) if (!(await needs[need].has())) return needs[need].without;
  return undefined;
};
