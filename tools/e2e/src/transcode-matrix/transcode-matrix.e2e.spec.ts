import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { someOf } from '@continuo/local-servers/test-form';
import { measureClicks, probe } from '@continuo/transcoding/testkit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { administrator, Journey } from '../journey.js';
import { makeSources, sourceNames, SOURCE_SECONDS, sources, type SourceName } from './sources.js';
import { targetNames, targets, type MatrixTarget, type TargetName } from './targets.js';

const SOURCE_MS = SOURCE_SECONDS * 1000;
const OFFSET_S = 5.34;
/** From there to the next click. */
const NEXT_CLICK_MS = 660;
const LATER_CLICKS = SOURCE_SECONDS - Math.ceil(OFFSET_S);

let journey: Journey;
const ids = new Map<SourceName, number>();

beforeAll(async () => {
  journey = await Journey.prepare();
  await makeSources(journey.music);
  await journey.start({ TRANSCODE_SLOTS: '4' });
  await journey.scan();
  const songs = await journey.json<{ song: { id: string; title: string }[] }>('/server/json.server.php', {
    ...session(),
    action: 'songs',
    version: '8.0.0',
  });
  for (const name of sourceNames) ids.set(name, Number(songs.song.find(({ title }) => title === name)?.id));
});
afterAll(() => journey.end());

const session = (): Record<string, string> => ({ auth: administrator.apiKey });
const without = (query: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined));

interface Asked {
  readonly id: string;
  readonly format: TargetName;
  readonly kbps: number | undefined;
  readonly from: number | undefined;
}
const text = (value: number | undefined): string | undefined => (value === undefined ? undefined : String(value));

/** The ways in which a stream can be asked for; each cell of the matrix takes the next one. */
const surfaces = [
  ({ id, format, kbps, from }: Asked) => [
    '/rest/stream',
    { apiKey: administrator.apiKey, v: '1.16.1', c: 'matrix', id: `so-${id}`, format, maxBitRate: text(kbps), timeOffset: text(from) },
  ],
  ({ id, format, kbps, from }: Asked) => [
    '/server/json.server.php',
    { ...session(), action: 'stream', type: 'song', filter: id, format, bitrate: text(kbps && kbps * 1000), offset: text(from) },
  ],
  ({ id, format, kbps, from }: Asked) => [
    '/rest/stream.view',
    { apiKey: administrator.apiKey, v: '1.13.0', c: 'other', id, format, maxBitRate: text(kbps), timeOffset: text(from) },
  ],
] as const satisfies readonly ((asked: Asked) => readonly [path: string, query: Record<string, string | undefined>])[];

const cells = sourceNames.flatMap((source, row) =>
  targetNames.map((target, column) => ({ source, target, surface: surfaces[(row + column) % surfaces.length]! })),
);

const fileOf = async (name: string, bytes: Buffer): Promise<string> => {
  const path = join(journey.folder, name);
  await writeFile(path, bytes);
  return path;
};

describe('every source in every form', () => {
  it('is looked at', () => {
    expect(cells).toHaveLength(60);
    expect([...ids.values()].filter((id) => id > 0)).toHaveLength(sourceNames.length);
  });

  it.for(someOf(cells, 20))('$source as $target', async ({ source, target, surface }, context) => {
    const { codec, kbps }: MatrixTarget = targets[target];
    const ask = async (from?: number, range?: string): Promise<{ status: number; bytes: Buffer; headers: Headers }> => {
      const [path, query] = surface({ id: String(ids.get(source)), format: target, kbps, from });
      const answer = await journey.request(path, without(query), range === undefined ? {} : { headers: { range } });
      return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()), headers: answer.headers };
    };
    const name = `${sources[source].ending}.${target}`;

    const whole = await ask();
    expect(whole.status).toBe(200);
    const wholeFile = await fileOf(`whole ${name}`, whole.bytes);
    const [heard, probed] = [await measureClicks(wholeFile), await probe(wholeFile)];
    const reachedKbps = (whole.bytes.length * 8) / heard.durationMs;

    const from = await ask(OFFSET_S);
    expect(from.status).toBe(200);
    const later = await measureClicks(await fileOf(`later ${name}`, from.bytes));

    const [start, end] = [Math.floor(whole.bytes.length / 3), Math.floor(whole.bytes.length / 2)];
    const part = await vi.waitUntil(
      async () => {
        const answer = await ask(undefined, `bytes=${start}-${end}`);
        return answer.status === 206 && answer;
      },
      { timeout: 10_000, interval: 100 },
    );

    const offsetMs = (later.clicksAtMs[0] ?? 0) - NEXT_CLICK_MS;
    const figures = {
      kbps: Math.round(reachedKbps),
      durationMs: Math.round(heard.durationMs - SOURCE_MS),
      laterMs: Math.round(later.durationMs - SOURCE_MS + OFFSET_S * 1000),
      offsetMs: Math.round(offsetMs),
    };
    await context.annotate(JSON.stringify({ source, target, ...figures }), 'cell');
    expect(probed.streams[0]?.codec_name).toBe(codec);
    expect(Math.abs(reachedKbps / (kbps ?? reachedKbps) - 1)).toBeLessThan(0.15);
    expect(Math.abs(figures.durationMs)).toBeLessThan(200);
    expect(Math.abs(figures.laterMs)).toBeLessThan(200);
    expect(Math.abs(offsetMs)).toBeLessThan(100);
    expect(heard.clicksAtMs).toHaveLength(SOURCE_SECONDS);
    expect(later.clicksAtMs).toHaveLength(LATER_CLICKS);
    expect(part.headers.get('content-range')).toBe(`bytes ${start}-${end}/${whole.bytes.length}`);
    expect(part.bytes.equals(whole.bytes.subarray(start, end + 1))).toBe(true);
  });
});
