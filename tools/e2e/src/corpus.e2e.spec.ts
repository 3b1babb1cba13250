import { join } from 'node:path';
import { someOf } from '@continuo/local-servers/test-form';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CorpusManifest, generateCorpus } from '@continuo/media-fixtures';
import { Journey } from './journey.js';
import { differences, probed } from './probed-files.js';
import { servedSongs, type ServedSong } from './served-songs.js';

/** Tolerance of lengths, ms: encoders work in frames, and some formats have no way to say where the last one ends. */
const TOLERANCE_MS = 60;
/** Samples of the frames that may be silent at both ends. */
const FRAME_SAMPLES = 1500;

let journey: Journey;
let manifest: CorpusManifest;
let served: ReadonlyMap<string, ServedSong>;
let scan: Awaited<ReturnType<Journey['scan']>>;

beforeAll(async () => {
  journey = await Journey.prepare();
  manifest = await generateCorpus(journey.music);
  await journey.start();
  scan = await journey.scan();
  served = await servedSongs(journey.server.db);
});
afterAll(() => journey.end());

describe('a corpus of every thing that a file can say', () => {
  it('has at least 300 files and is found whole', () => {
    expect(manifest.files).toBeGreaterThanOrEqual(300);
    expect(scan).toMatchObject({ state: 'finished', songs_added: manifest.songs.length });
    expect([...served.keys()].toSorted()).toEqual(manifest.songs.map(({ path }) => path).toSorted());
  });

  it('is shown field by field as its manifest says', () => {
    const wrong = manifest.songs.flatMap(({ path, row, song }) => {
      const found = served.get(path)?.song;
      if (!found) return [`${row} ${path}: missing`];
      const names = new Set([...Object.keys(song), ...Object.keys(found)]) as Set<keyof typeof song>;
      return [...names].flatMap((name) => {
        const [is, should] = [JSON.stringify(sorted(found[name])), JSON.stringify(sorted(song[name]))];
        return is === should ? [] : [`${row} ${path}: ${name} is ${is}, should be ${should}`];
      });
    });
    expect(wrong).toEqual([]);
  });

  it('is measured as its manifest says', () => {
    const wrong = manifest.songs.flatMap(({ path, sound, sizeBytes }) => {
      const found = served.get(path)?.sound;
      if (!found) return [`${path}: missing`];
      const { codec, durationMs, ...exact } = sound;
      const lines = Object.entries(exact).flatMap(([name, should]) => {
        const is = found[name as keyof typeof found] ?? (name === 'lossless' ? false : undefined);
        return is === should ? [] : [`${path}: ${name} is ${String(is)}, should be ${String(should)}`];
      });
      if (!new RegExp(codec, 'i').test(found.codec ?? '')) lines.push(`${path}: codec is ${found.codec}, should be like ${codec}`);
      if (Math.abs(found.durationMs - durationMs) > TOLERANCE_MS + (FRAME_SAMPLES * 1000) / sound.sampleRateHz)
        lines.push(`${path}: lasts ${found.durationMs} ms, not ${durationMs}`);
      if (found.sizeBytes !== sizeBytes) lines.push(`${path}: has ${found.sizeBytes} bytes, not ${sizeBytes}`);
      return lines;
    });
    expect(wrong).toEqual([]);
  });

  it('is seen in the same way by a second reader', { timeout: 300_000 }, async () => {
    // Of the many themes of tags those are enough that every kind of tag has.
    const isTold = (path: string): boolean => !path.startsWith('tags/') || /\/(?:plain|several)\//.test(path);
    const files = [
      ...someOf(
        manifest.songs.filter(({ path, plays }) => plays && !path.includes('#') && isTold(path)),
        60,
      ),
    ];
    const wrong: string[] = [];
    const worker = async (): Promise<void> => {
      for (let next = files.shift(); next; next = files.shift()) {
        const found = served.get(next.path);
        if (found) wrong.push(...differences(found, await probed(join(journey.music, next.path))).map((line) => `${next?.path}: ${line}`));
      }
    };
    await Promise.all([worker(), worker(), worker()]);
    expect(wrong).toEqual([]);
  });

  it('leaves out what its manifest says, with the reason', async () => {
    const { rows } = await sql<{ path: string; reason: string }>`
      select (case d.path when '' then '' else d.path || '/' end) || f.name as path, f.skip_reason as reason
      from library.file f join library.folder d on d.id = f.folder_id where f.kind = 'skipped' order by 1`.execute(journey.server.db);
    expect(rows).toEqual(manifest.skipped.map(({ path, reason }) => ({ path, reason })).toSorted((a, b) => (a.path < b.path ? -1 : 1)));
  });
});

/** The same value with the keys of its objects in order, and lists of people by role in order. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => [name, sorted(item)]),
  );
};
