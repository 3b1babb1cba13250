import { describe, expect, it } from 'vitest';
import { parseFormats } from './formats.js';

describe('parseFormats', () => {
  it('reads names and rejects unknown ones', () => {
    expect(parseFormats('mp3, flac')).toEqual(['mp3', 'flac']);
    expect(() => parseFormats('mp3,ape')).toThrow(/unknown format ape; there are mp3, flac/);
    expect(() => parseFormats('')).toThrow(/none given/);
  });
});
