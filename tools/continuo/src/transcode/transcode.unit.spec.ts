import { describe, expect, it } from 'vitest';
import { profileText } from './batch-text.js';
import { profileOf } from './transcode.commands.js';

describe('the options of what is made ahead', () => {
  it('are a profile', () => {
    expect(profileOf({ to: 'opus', kbps: '96', rate: '48000', channels: '2' })).toEqual({
      format: 'opus',
      bitrateKbps: 96,
      sampleRateHz: 48_000,
      channels: 2,
    });
  });
  it.each([
    ['--kbps', { kbps: '1' }],
    ['--kbps', { kbps: 'many' }],
    ['--rate', { rate: '1' }],
    ['--channels', { channels: '0' }],
  ])('are refused under the name that was typed: %s', (option, given) => {
    expect(() => profileOf({ to: 'opus', ...given })).toThrow(new RegExp(`^${option} cannot be used`));
  });
});

describe('the text of a profile', () => {
  it('names format, rate and channels, and of a video the picture', () => {
    expect(profileText({ format: 'opus', bitrateKbps: 96 })).toBe('opus 96 kbit/s');
    const picture = { maxWidthPx: 640, maxHeightPx: 360, bitrateKbps: 500 };
    expect(profileText({ format: 'mp4', bitrateKbps: 64, channels: 2, picture })).toBe(
      'mp4 640x360 500 kbit/s, sound 64 kbit/s 2 channels',
    );
  });
});
