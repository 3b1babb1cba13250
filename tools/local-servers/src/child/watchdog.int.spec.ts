import { spawn } from 'node:child_process';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasEnded, isAlive } from './process-table.js';

const distFolder = join(import.meta.dirname, '..', '..', 'dist');
let scratch: string;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'continuo-watchdog-spec-'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** Runs a script that starts a server and prints its process id, then hangs. Answers that id and a way to kill the script. */
async function orphanMaker(name: string, code: string): Promise<{ serverPid: number; killParent: () => void }> {
  const file = join(scratch, `${name}.mjs`);
  await writeFile(
    file,
    `import * as servers from ${JSON.stringify(join(distFolder, 'index.js'))};\n${code}\nsetInterval(() => {}, 1000);\n`,
  );
  const parent = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve, reject) => {
    parent.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()));
    parent.once('exit', () => reject(new Error('the script ended early')));
  });
  return { serverPid: Number(line), killParent: () => parent.kill('SIGKILL') };
}

describe('a server whose parent dies by kill -9', () => {
  it.each([
    ['postgres', 'const s = await servers.ownTestPostgres(); console.log(s.pid);'],
    ['nats', 'const s = await servers.testNats(); console.log(s.pid);'],
  ])('is stopped by the watchdog: %s', async (name, code) => {
    const { serverPid, killParent } = await orphanMaker(name, code);
    expect(await isAlive(serverPid)).toBe(true);
    killParent();
    expect(await hasEnded(serverPid, 10_000)).toBe(true);
  });

  it.each([
    ['postgres', 'startPostgres', 'dataDir'],
    ['nats', 'startNats', 'storeDir'],
  ] as const)('is replaced on the next start when the watchdog died too: %s', async (name, start, option) => {
    const dir = join(scratch, `${name}-data`);
    const { serverPid, killParent } = await orphanMaker(
      `${name}-2`,
      `const s = await servers.${start}({ ${option}: ${JSON.stringify(dir)} }); console.log(s.pid);`,
    );
    await killWatchdogOf(serverPid);
    killParent();
    await sleep(300);
    expect(await isAlive(serverPid)).toBe(true);
    const servers = await import('../index.js');
    const next = name === 'nats' ? await servers.startNats({ storeDir: dir }) : await servers.startPostgres({ dataDir: dir });
    expect(await isAlive(serverPid)).toBe(false);
    expect(next.pid).not.toBe(serverPid);
    await next.stop();
    await expect(access(`${dir}.owner`)).rejects.toThrow(/ENOENT/);
  });
});

/** Kills the watchdog shell whose first argument is the given process id. */
async function killWatchdogOf(serverPid: number): Promise<void> {
  const { readdir, readFile } = await import('node:fs/promises');
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const command = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(`continuo-watchdog\0${serverPid}\0`)) process.kill(Number(entry), 'SIGKILL');
  }
}
