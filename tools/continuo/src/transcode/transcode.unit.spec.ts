import { describe, expect, it } from 'vitest';
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
