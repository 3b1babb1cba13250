import { describe, expect, it } from 'vitest';
import { aheadProfile, aheadVideo } from './ahead-profile.js';
import { decideVideo } from './video/decide-video.js';
import { NO_RULES } from './stream-rules.js';

describe('what is made ahead', () => {
  it('has the bit rate of streams that name none, as the format has it', () => {
    expect(aheadProfile({ format: 'opus' }, { bitrateKbps: 100 })).toEqual({ format: 'opus', bitrateKbps: 100 });
    expect(aheadProfile({ format: 'mp3', channels: 1 }, { bitrateKbps: 100 })).toEqual({ format: 'mp3', channels: 1, bitrateKbps: 96 });
  });

  it('keeps the bit rate that it is given', () => {
    expect(aheadProfile({ format: 'opus', bitrateKbps: 64 }, { bitrateKbps: 100 })).toEqual({ format: 'opus', bitrateKbps: 64 });
  });

  it.each(['flac', 'wav', 'mp4', 'webm', 'ts', 'srt'] as const)('has none as %s', (format) => {
    expect(aheadProfile({ format }, { bitrateKbps: 100 })).toEqual({ format });
  });
});

describe('a video that is made ahead', () => {
  const facts = { format: 'mkv', widthPx: 640, heightPx: 360, bitrateBps: 260_000, durationMs: 20_000, audioTracks: 1, captions: [] };

  it.each([
    [{ format: 'mp4' }, { format: 'mp4' }],
    [
      { format: 'webm', bitrateKbps: 200 },
      { format: 'webm', maxKbps: 200 },
    ],
    [{ format: 'mp3' }, { format: 'mp3' }],
  ] as const)('as %j is what streams that ask for %j get', (profile, request) => {
    const decided = decideVideo(facts, request, NO_RULES);
    expect(decided).toMatchObject({ kind: 'transcode', target: aheadVideo(profile, facts, NO_RULES) });
  });

  it('stays as it is described, and as subtitles', () => {
    const picture = { maxWidthPx: 320, maxHeightPx: 180, bitrateKbps: 300 };
    for (const profile of [{ format: 'mp4', picture }, { format: 'srt' }] as const)
      expect(aheadVideo(profile, facts, NO_RULES)).toEqual(profile);
  });

  it('is refused in the form of its file, which streams are sent', () => {
    expect(() => aheadVideo({ format: 'mp4' }, { ...facts, format: 'mp4' }, NO_RULES)).toThrow('gets the file as it is');
  });
});
