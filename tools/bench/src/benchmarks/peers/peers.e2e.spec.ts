import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { comparePeers } from './peers.bench.js';
import { peerRows } from './table.js';

const FILES = 30;
let out: string;
const printed: string[] = [];

beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), 'continuo-bench-out-'));
  await comparePeers({ gonic: join(out, 'missing'), files: FILES, seconds: 0.05, out, print: (line) => printed.push(line) });
});
afterAll(() => rm(out, { recursive: true, force: true }));

describe.runIf(process.platform === 'linux')('comparison with a peer that cannot be started', () => {
  it('says why', () => {
    expect(printed).toContainEqual(expect.stringMatching(/^gonic: .*ENOENT/));
  });

  it('scans all files', () => {
    expect(printed).toContainEqual(expect.stringMatching(`^Continuo .*: ${FILES} songs`));
  });

  it('has a value in each row', async () => {
    const { measurements } = JSON.parse(await readFile(join(out, 'peers.json'), 'utf8')) as { measurements: { value: number }[] };
    expect(measurements).toHaveLength(peerRows(FILES).length);
    expect(measurements.every(({ value }) => Number.isFinite(value))).toBe(true);
  });
});
