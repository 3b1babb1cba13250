import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ensureFfmpeg } from '../../setup/ffmpeg.mjs';

let folder;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'continuo-setup-'));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

const writeProgram = (name, lines) => writeFile(join(folder, name), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });

describe('an ffmpeg', () => {
  // The pause lets the warning arrive first.
  const versionOf = (version) => `echo 'Warning: using insecure memory!' >&2\nsleep 0.1\necho 'ffmpeg version ${version} Copyright'`;
  const chosen = async (version) => {
    await writeProgram('ffmpeg', versionOf(version));
    await writeProgram('ffprobe', versionOf(version));
    vi.stubEnv('FFMPEG_PATH', join(folder, 'ffmpeg'));
    return ensureFfmpeg();
  };

  it.each(['5.1.9-0+deb12u1', 'n7.1', 'N-113007-g8d24a28d06'])(
    'of version %s is taken, whatever a library says before',
    async (version) => {
      expect(await chosen(version)).toBe(join(folder, 'ffmpeg'));
    },
  );

  it('that is too old is refused', async () => {
    await expect(chosen('4.4.2')).rejects.toThrow(/which is not ffmpeg 5 or newer/);
  });
});

describe('a set-up', () => {
  // The account 65534 is nobody's; root could write into any folder.
  const NOBODY = 65_534;
  const isRoot = process.getuid() === 0;
  const asStranger = async (work) => {
    if (isRoot) process.seteuid(NOBODY);
    try {
      return await work();
    } finally {
      if (isRoot) process.seteuid(0);
    }
  };
  const closedFolder = async () => {
    const closed = await mkdtemp(join(folder, 'closed-'));
    await chmod(closed, 0o555);
    return closed;
  };
  const lockIn = async (cache) => {
    vi.stubEnv('CONTINUO_CACHE', cache);
    vi.resetModules();
    return import('../../setup/lock.mjs');
  };

  it('is left to one process at a time', async () => {
    const { exclusively } = await lockIn(folder);
    const heard = [];
    const work = (name) => async () => {
      heard.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      heard.push(`${name} ends`);
    };
    await Promise.all([exclusively(work('one')), exclusively(work('two'))]);
    expect(heard).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
  });

  it('that is complete is used by an account that may not write there', async () => {
    const { exclusively } = await lockIn(await closedFolder());
    expect(await asStranger(() => exclusively(() => Promise.resolve('used')))).toBe('used');
  });

  it('that lacks something says to such an account who has to run it', async () => {
    const cache = await closedFolder();
    const { exclusively } = await lockIn(cache);
    const work = () => writeFile(join(cache, 'fetched'), '');
    await expect(asStranger(() => exclusively(work))).rejects.toThrow(
      `This account may not write into ${cache}: run "npm start -- --help"`,
    );
    const lacking = () => Promise.reject(new Error('ffmpeg is missing'));
    await expect(asStranger(() => exclusively(lacking))).rejects.toThrow(/^ffmpeg is missing$/);
  });
});
