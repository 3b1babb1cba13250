import { describe, expect, it } from 'vitest';
import { nextForm, videoAddress } from './form.js';

const URL_OF_FILE = 'https://music.example/play/index.php?type=video&oid=1';

describe('nextForm', () => {
  it('is the file where the browser may play it', () => expect(nextForm('video/mp4', () => true)).toBe('file'));

  it('is the next one that the browser knows, after one that it does not or that has failed', () => {
    expect(nextForm('video/x-msvideo', (type) => type !== 'video/x-msvideo')).toBe('mp4');
    expect(nextForm('video/mp4', (type) => type.includes('webm'))).toBe('webm');
    expect(nextForm('video/mp4', () => true, 'file')).toBe('mp4');
  });

  it('is none after the last', () => expect(nextForm('video/mp4', () => true, 'webm')).toBeUndefined());
});

describe('videoAddress', () => {
  it('asks for the whole file: browsers seek in it', () =>
    expect(new URL(videoAddress(URL_OF_FILE, 'file', 90, 's2')).search).not.toMatch(/frame|subtitle/));

  it('asks for a made form from a second on, with its subtitles drawn in', () => {
    const { searchParams } = new URL(videoAddress(URL_OF_FILE, 'mp4', 90.7, 's2'));
    expect(['format', 'frame', 'cache', 'subtitle'].map((name) => searchParams.get(name))).toEqual(['mp4', '90', '1', 's2']);
  });
});
