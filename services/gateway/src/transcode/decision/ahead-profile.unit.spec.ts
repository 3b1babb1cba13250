import { describe, expect, it } from 'vitest';
import { aheadProfile } from './ahead-profile.js';

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
