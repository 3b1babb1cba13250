import { describe, expect, it } from 'vitest';
import { decideStream } from './decision/decide-stream.js';
import { NO_RULES } from './decision/stream-rules.js';
import { transcodeRequestOf } from './source-of.js';

const state = { sizeBytes: 1000, mtimeMs: 5 };
const part = { startMs: 60_000, sourceMs: 3_000_000 };
const facts = {
  format: 'flac',
  codec: 'flac',
  mime: 'audio/flac',
  isLossless: true,
  bitrateBps: 900_000,
  sampleRateHz: 44_100,
  channels: 2,
  bitDepth: 16,
  durationMs: 200_000,
};

describe('a song that shares its file with others', () => {
  it('is never the file: as it is, it is cut without loss', () => {
    for (const format of ['raw', undefined, 'flac'] as const)
      expect(decideStream({ ...facts, part }, { format }, NO_RULES)).toMatchObject({
        kind: 'transcode',
        target: { format: 'flac', offsetMs: 0, lengthMs: 200_000 },
        isOptional: false,
      });
    expect(decideStream(facts, { format: 'raw' }, NO_RULES)).toEqual({ kind: 'direct' });
  });

  it('is cut at a frame where coding anew would lose something', () => {
    const lossy = { ...facts, format: 'mp3', codec: 'mp3', isLossless: false, part };
    expect(decideStream(lossy, {}, NO_RULES)).toMatchObject({
      kind: 'remux',
      target: { format: 'mp3', copySound: true, lengthMs: 200_000 },
    });
  });

  it('ends where it ends, however much is asked for', () => {
    expect(decideStream({ ...facts, part }, { offsetMs: 150_000, lengthMs: 900_000 }, NO_RULES)).toMatchObject({
      target: { offsetMs: 150_000, lengthMs: 50_000 },
    });
    const { source, target } = transcodeRequestOf({ catalogPath: '/m', path: 'a.flac', durationMs: 200_000, part }, state, {
      format: 'ts',
      offsetMs: 199_000,
      lengthMs: 10_000,
    });
    expect(source).toMatchObject({ path: 'a.flac', durationMs: 3_000_000 });
    expect(target).toMatchObject({ offsetMs: 259_000, lengthMs: 1000 });
  });

  it('changes nothing for a file of its own', () => {
    const wanted = { format: 'mp3' as const, offsetMs: 5000 };
    expect(transcodeRequestOf({ catalogPath: '/m', path: 'a.flac', durationMs: 200_000 }, state, wanted)).toEqual({
      source: { catalogPath: '/m', path: 'a.flac', sizeBytes: 1000, modifiedAtMs: 5, durationMs: 200_000 },
      target: wanted,
    });
  });
});
