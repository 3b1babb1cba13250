import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordingLog } from '@continuo/chassis/testkit';
import { TRANSCODE_ACCOUNT_HEADER, type TranscodeSource } from '@continuo/contracts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeTone } from '../../test/media.js';
import { openFiles, testTranscoder, type TestTranscoder } from '../../test/test-transcoder.js';
import type { ResolvedRequest } from '../work/transcoder.js';
import { startByteServer, type ByteServer } from './byte-server.js';
import { signedAddresses } from './signed-address.js';

const SECRET = 'a secret of at least thirty-two characters';
let home: string;
let one: TestTranscoder;
let server: ByteServer;
let song: TranscodeSource;
let kept: ResolvedRequest;
let lines: Record<string, unknown>[];
let nowMs = Date.UTC(2024, 5, 1);

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'continuo-bytes-'));
  one = await testTranscoder();
  const recording = recordingLog();
  lines = recording.lines;
  const options = { host: '127.0.0.1', port: 0, secret: SECRET, now: () => nowMs, log: recording.log, metrics: one.metrics };
  server = await startByteServer(options, one.transcoder, one.cache);
  song = await makeTone(home, 'song.flac', 5);
  kept = await one.look(song);
  await one.transcoder.prepare(kept);
});
afterAll(async () => {
  await server.drain(0);
  await one.stop();
  await rm(home, { recursive: true, force: true });
});

describe('the bytes of a worker', () => {
  it('are sent to whoever has a signed address that is not over', async () => {
    const url = server.addresses.sign(kept.key);
    const answer = await fetch(url);
    expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, Number(answer.headers.get('content-length'))]);
    nowMs += 3_600_001;
    expect((await fetch(url)).status).toBe(403);
  });

  it('are sent for nothing else', async () => {
    const url = new URL(server.addresses.sign(kept.key));
    const other = await one.look(song, { format: 'opus' });
    const changed = (change: (address: URL) => void): string => {
      const address = new URL(url);
      change(address);
      return address.toString();
    };
    for (const address of [
      changed((at) => (at.search = '')),
      changed((at) => at.searchParams.delete('mark')),
      changed((at) => at.searchParams.set('mark', '0'.repeat(64))),
      changed((at) => at.searchParams.set('until', String(Number(at.searchParams.get('until')) + 1))),
      changed((at) => at.searchParams.set('until', 'Infinity')),
      changed((at) => at.searchParams.append('until', '9')),
      changed((at) => (at.pathname = at.pathname.replace(kept.key, other.key))),
      changed((at) => (at.pathname = '/transcodes/..%2f..%2fetc%2fpasswd')),
      signedAddresses(`${SECRET}!`, url.origin, () => nowMs).sign(kept.key),
    ])
      expect([address, (await fetch(address)).status]).toEqual([address, 403]);
  });

  it('count as found in the cache once for each listener, who may seek', async () => {
    const url = server.addresses.sign(kept.key);
    const hits = async (): Promise<number> => {
      const { values } = await one.metrics.cache.lookups.get();
      return values.find(({ labels }) => labels.outcome === 'hit')?.value ?? 0;
    };
    const before = await hits();
    for (const headers of [{}, { range: 'bytes=0-99' }, { range: 'bytes=100-199' }]) await (await fetch(url, { headers })).arrayBuffer();
    expect(await hits()).toBe(before + 2);
  });

  it('come in the parts that are asked for, when they are finished', async () => {
    const url = server.addresses.sign(kept.key);
    const whole = Buffer.from(await (await fetch(url)).arrayBuffer());
    const part = await fetch(url, { headers: { range: 'bytes=100-199' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${whole.length}`]);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(100, 200));
    expect((await fetch(url, { headers: { range: `bytes=0-${whole.length}` } })).status).toBe(416);
    for (const range of ['bytes=-5', 'bytes=9-8', 'lines=1-2']) expect((await fetch(url, { headers: { range } })).status).toBe(200);
  });

  it('come as they are made, and say when there is nothing, or nothing any more', async () => {
    const request = await one.look(song, { format: 'ogg' });
    const url = server.addresses.sign(request.key);
    expect((await fetch(url)).status).toBe(410);
    await one.transcoder.begin(request);
    const answer = await fetch(url);
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-length')]).toEqual([200, 'audio/ogg', null]);
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(10_000);
    const broken = await one.look({ ...song, durationMs: 0 }, { offsetMs: 1, audioTrack: 7 });
    await one.transcoder.begin(broken);
    const refusal = await fetch(server.addresses.sign(broken.key));
    expect([refusal.status, await refusal.json()]).toEqual([422, { code: 'transcode.failed', message: expect.any(String) }]);
  });

  it('are not made any more once their last listener has gone', async () => {
    const request = await one.look(await makeTone(home, 'long.flac', 3600), { format: 'wav' });
    await one.transcoder.begin(request);
    const abort = new AbortController();
    const answer = await fetch(server.addresses.sign(request.key), { signal: abort.signal, headers: { [TRANSCODE_ACCOUNT_HEADER]: '7' } });
    await answer.body?.getReader().read();
    expect((await one.transcoder.stateOf(request)).state).toBe('growing');
    const listeners = (): unknown => one.transcoder.underWay().map(({ accountIds }) => accountIds);
    expect(listeners()).toEqual([[7]]);
    abort.abort();
    await vi.waitFor(() => expect([[], [[]]]).toContainEqual(listeners()), 20_000);
    await vi.waitFor(async () => expect((await one.transcoder.stateOf(request)).state).toBe('free'), 20_000);
    expect(lines.filter(({ level }) => Number(level) >= 40)).toEqual([]);
  });

  it('leave nothing open behind them, sent or not', async () => {
    const url = server.addresses.sign(kept.key);
    await (await fetch(url)).arrayBuffer();
    const before = await openFiles();
    for (let n = 0; n < 30; n += 1) {
      const request = await one.look(song, { offsetMs: 100 + n });
      await one.transcoder.begin(request);
      await (await fetch(server.addresses.sign(request.key))).arrayBuffer();
      await (await fetch(url)).arrayBuffer();
      const abort = new AbortController();
      await fetch(url, { signal: abort.signal, headers: { range: 'bytes=0-999' } });
      abort.abort();
    }
    await vi.waitFor(async () => expect(await openFiles()).toBeLessThanOrEqual(before + 4), 20_000);
  });
});
