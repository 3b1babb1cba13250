import { describe, expect, it } from 'vitest';
import type { Song } from '../../lib/api.js';
import { canSetVolume } from './device.js';
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

describe('form of a song that the server has to make equally loud', () => {
  const loud = (decibels: number, more: Partial<FormRules> = {}): FormRules => rules({ gain: 10 ** (decibels / 20), ...more });

  it('is one without loss for what has none', () => {
    expect(formOf(song(), loud(-6.254))).toEqual({ format: 'flac', gainDb: -6.26, reason: 'loudness' });
    expect(formOf(song({ bitrate: 400_000 }), loud(-6))).toMatchObject({ format: 'flac' });
    const alac = song({ format: 'm4a', stream_format: 'm4a', stream_mime: 'audio/mp4' });
    expect(formOf(alac, loud(-6))).toMatchObject({ format: 'flac', reason: 'loudness' });
    expect(formOf(alac, loud(-6, { canPlay: (mime) => mime !== 'audio/flac' }))).toMatchObject({ format: 'opus', reason: 'loudness' });
  });

  it('is the best that the browser plays for others', () => {
    const mp3 = song({ bitrate: 256_000, stream_format: 'mp3', format: 'mp3', stream_mime: 'audio/mpeg' });
    expect(formOf(mp3, loud(3))).toMatchObject({ format: 'opus', kbps: 192, reason: 'loudness' });
    expect(formOf(mp3, loud(3, { canPlay: (mime) => mime === 'audio/mpeg' }))).toMatchObject({ format: 'mp3', kbps: 320 });
  });

  it('is the one that it has anyway where that is made', () => {
    expect(formOf(song(), loud(-6, { quality: 'mp3-192' }))).toMatchObject({ format: 'mp3', kbps: 192, gainDb: -6, reason: 'chosen' });
    expect(formOf(song({ stream_format: 'mp3' }), loud(-6))).toMatchObject({ gainDb: -6, reason: 'account' });
    expect(formOf(song(), loud(-6, { isRefused: () => true }))).toMatchObject({ format: 'opus', gainDb: -6, reason: 'browser' });
    expect(formOf(song({ stream_bitrate: 128_000 }), loud(-6, { quality: 'mp3-192' }))).toMatchObject({
      format: 'mp3',
      reason: 'loudness',
    });
  });

  it('is as ever for half a decibel, and for what is kept here', () => {
    expect(formOf(song(), loud(0.5))).toEqual({ reason: 'original' });
    expect(formOf(song(), loud(-0.4))).toEqual({ reason: 'original' });
    expect(formOf(song({ url: 'http://server/offline/songs/7' }), loud(-6))).toEqual({ reason: 'kept' });
  });

  it('stays within what the server takes', () => {
    expect([formOf(song(), loud(-200)).gainDb, formOf(song(), loud(70)).gainDb]).toEqual([-30, 30]);
  });

  it('is asked for in the address, from a position on, and not made quieter twice', () => {
    const { url, urlFrom, gain } = trackOf(song(), formOf(song(), loud(-20)), 0.1);
    expect(url).toBe('http://server/play/index.php?oid=7&name=x.flac&cache=1&format=flac&gain=-20.00');
    expect(urlFrom?.(12.5)).toContain('&gain=-20.00&frame=12.50');
    expect(gain).toBe(1);
    const account = song({ stream_format: 'mp3' });
    expect(trackOf(account, formOf(account, loud(-6)), 0.5).url).toContain('transcode_to=mp3&bitrate=9&name=x.flac&cache=1&gain=-6.00');
  });
});

describe('whether a page can set a volume', () => {
  it('is told by an element', () => {
    expect(canSetVolume({ volume: 1 })).toBe(true);
    expect(canSetVolume(new Proxy({ volume: 1 }, { set: () => true }))).toBe(false);
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
    expect(gainOf(song({ ...none, replaygain_track_gain: 20, replaygain_track_peak: 0.5 }), false, 1)).toBe(2);
    expect(gainOf(song({ ...none, replaygain_track_gain: 20 }), false, 1)).toBe(1);
  });
});
