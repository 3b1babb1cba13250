import { describe, expect, it } from 'vitest';
import type { Song } from '../../lib/api.js';
import { formOf, gainOf, trackOf, type FormRules } from './form.js';

const flac = {
  url: 'http://server/play/index.php?oid=7&transcode_to=mp3&bitrate=9&name=x.flac',
  format: 'flac',
  stream_format: 'flac',
  stream_mime: 'audio/flac',
  bitrate: 900_000,
  stream_bitrate: 900_000,
};
const song = (more: object = {}): Song => ({ ...flac, ...more }) as Song;
const rules = (more: Partial<FormRules> = {}): FormRules => ({ quality: 'original', canPlay: () => true, isRefused: () => false, ...more });

describe('form of a song', () => {
  it('is the original where the browser plays it', () => {
    expect(formOf(song(), rules())).toEqual({ reason: 'original' });
    expect(formOf(song({ stream_format: 'mp3' }), rules())).toEqual({ reason: 'account' });
  });

  it('is one without loss for what the browser cannot play and has no loss', () => {
    const canPlay = (mime: string): boolean => mime !== 'audio/aiff';
    expect(formOf(song({ stream_format: 'aiff', stream_mime: 'audio/aiff' }), rules({ canPlay }))).toEqual({
      format: 'flac',
      reason: 'browser',
    });
    expect(formOf(song({ bitrate: 128_000 }), rules({ isRefused: () => true }))).toEqual({ format: 'opus', kbps: 192, reason: 'browser' });
    expect(formOf(song({ bitrate: 128_000 }), rules({ canPlay: () => false }))).toEqual({ format: 'mp3', kbps: 320, reason: 'browser' });
  });

  it('is the chosen one, unless the file is as small', () => {
    expect(formOf(song(), rules({ quality: 'mp3-192' }))).toEqual({ format: 'mp3', kbps: 192, reason: 'chosen' });
    expect(formOf(song({ stream_bitrate: 128_000 }), rules({ quality: 'mp3-192' }))).toEqual({ reason: 'small' });
    expect(formOf(song(), rules({ quality: 'opus-128', canPlay: (mime) => !mime.includes('opus') }))).toMatchObject({ format: 'mp3' });
  });

  it('is asked for in the address, from a position on', () => {
    const { urlFrom, url } = trackOf(song(), { format: 'opus', kbps: 128, reason: 'chosen' }, 1);
    expect(url).toBe('http://server/play/index.php?oid=7&name=x.flac&cache=1&format=opus&bitrate=128000');
    expect(urlFrom?.(12.5)).toContain('&frame=12.50');
    expect(trackOf(song(), { reason: 'original' }, 1).urlFrom).toBeUndefined();
  });
});

describe('gain of a song', () => {
  const none = {
    replaygain_album_gain: null,
    replaygain_track_gain: null,
    r128_album_gain: null,
    r128_track_gain: null,
    replaygain_album_peak: null,
    replaygain_track_peak: null,
  };

  it('is that of the album within it, else its own', () => {
    const both = song({ ...none, replaygain_album_gain: -20, replaygain_track_gain: -40 });
    expect([gainOf(both, true), gainOf(both, false)]).toEqual([0.1, 0.01]);
    expect(gainOf(song({ ...none, replaygain_track_gain: -20 }), true)).toBe(0.1);
    expect(gainOf(song(none), true)).toBe(1);
  });

  it('knows R128', () => {
    expect(gainOf(song({ ...none, r128_track_gain: -25 * 256 }), false)).toBe(0.1);
  });

  it('does not push a peak beyond full scale', () => {
    expect(gainOf(song({ ...none, replaygain_track_gain: 20, replaygain_track_peak: 0.5 }), false)).toBe(2);
  });
});
