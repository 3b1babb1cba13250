import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isTooMuch, leastStrainOf, withProbe } from './strain.js';

/** A server that works for as much processor time as it is asked to, at once or in slices, and takes as much memory. */
const PROGRAM = `
const used = () => { const { user, system } = process.cpuUsage(); return user + system; };
const work = (ms) => { const from = used(); while (used() - from < ms * 1000); };
const slices = async (ms) => { for (let done = 0; done < ms; done += 5) { work(5); await new Promise((next) => setTimeout(next, 15)); } };
require('node:http').createServer(async (request, answer) => {
  const { searchParams } = new URL(request.url, 'http://localhost');
  const memory = Buffer.alloc(Number(searchParams.get('mib') ?? 0) * 1048576, 1);
  work(Number(searchParams.get('ms') ?? 0));
  await slices(Number(searchParams.get('slices') ?? 0));
  answer.end(String(memory.length));
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;

let child: ChildProcess;
let url: string;

beforeAll(async () => {
  child = spawn(process.execPath, [...withProbe(), '-e', PROGRAM], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const [port] = child.stdout ? ((await once(child.stdout, 'data')) as [Buffer]) : [];
  url = `http://127.0.0.1:${String(port).trim()}`;
});
afterAll(() => {
  child.kill('SIGKILL');
});

const asking = (query: string) => async (): Promise<string> => (await fetch(`${url}/?${query}`)).text();

describe.runIf(process.platform === 'linux')('what a request asks of a server', () => {
  it('is too much when it holds the event loop', async () => {
    const strain = await leastStrainOf(child, asking('ms=300'));
    expect(strain.heldMs).toBeGreaterThan(200);
    expect(isTooMuch(strain)).toBe(true);
  });

  it('is not when the same work is done in slices', async () => {
    expect(isTooMuch(await leastStrainOf(child, asking('slices=300'), 5))).toBe(false);
  });

  it('is too much when it takes a lot of memory', async () => {
    const strain = await leastStrainOf(child, asking('mib=150'), 1);
    expect(strain.grownBytes).toBeGreaterThan(100 * 1024 ** 2);
    expect(isTooMuch(strain)).toBe(true);
  });
});
