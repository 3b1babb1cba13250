import { readFileSync } from 'node:fs';
import { transcodeFormat, transcodeTarget, type TranscodeTarget } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { INPUT_FORMATS } from './input-formats.js';
import { planOf } from './transcode-plan.js';

const script = readFileSync(new URL('../../../../deploy/images/build-ffmpeg.sh', import.meta.url), 'utf8');

/** Names in a list of the script. */
const built = (pattern: RegExp): string[] => pattern.exec(script)?.[1]?.split(',') ?? [];

/** Formats that are called otherwise where ffmpeg is built. */
const builtAs: Readonly<Record<string, string>> = { mpeg: 'mpegps', shn: 'shorten' };
/** Formats of caption files, which images read as well. */
const CAPTIONS = ['ass', 'srt', 'webvtt'];

const picture = { maxWidthPx: 640, maxHeightPx: 360, bitrateKbps: 500 };
/** Wishes that lead to each encoder and filter. */
const wishes: readonly Partial<TranscodeTarget>[] = [
  {},
  { gainDb: -3 },
  { bitrateKbps: 24 },
  { picture, offsetMs: 4000, lengthMs: 4000 },
  { picture, captionTrack: 0 },
  { picture, captionFile: { path: 'a.srt', encoding: 'unicode' } },
];

const plans = transcodeFormat.options.flatMap((format) =>
  wishes.map((wish) => {
    const source = { path: '/music/a.flac', captionsPath: '/music/a.srt', durationMs: 60_000 };
    return planOf(transcodeTarget.parse({ format, ...wish }), source, { videoThreads: 1 }).outputOptions;
  }),
);

/** Values behind any of the options in all plans, each once. */
const told = (...options: string[]): string[] => [
  ...new Set(plans.flatMap((plan) => plan.flatMap((option, at) => (options.includes(option) ? (plan[at + 1] ?? '') : [])))),
];

describe('the ffmpeg of the images', () => {
  it('reads what the server opens, and nothing else', () => {
    const demuxers = built(/^demuxers='([^']+)'$/m);
    expect(demuxers.toSorted()).toEqual([...INPUT_FORMATS.map((name) => builtAs[name] ?? name), ...CAPTIONS].toSorted());
  });

  it('has the encoders that are asked for', () => {
    const encoders = built(/--enable-encoder=(\S+)/);
    const asked = told('-c:a', '-c:v', '-c:s').map((name) => name.replaceAll('-', '_'));
    expect(asked.length).toBeGreaterThan(8);
    expect(asked.filter((name) => !encoders.includes(name))).toEqual([]);
  });

  it('has the filters that are asked for', () => {
    const filters = built(/--enable-filter=(\S+)/);
    const asked = new Set(told('-af', '-vf').flatMap((chain) => chain.split(',').flatMap((part) => /^([a-z]+)=/.exec(part)?.[1] ?? [])));
    expect(asked).toContain('subtitles');
    expect(asked).toContain('volume');
    expect([...asked].filter((name) => !filters.includes(name))).toEqual([]);
  });
});
