import type { SongDocument } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { archiveNames } from './archive-names.js';

const song = (more: Partial<SongDocument>): SongDocument =>
  ({ title: 'Song', artists: [{ name: 'Artist' }], album: { name: 'Album' }, disk: 1, track: 1, format: 'mp3', ...more }) as SongDocument;

describe('names in archives', () => {
  it('tell disk and track, album, or place in the list', () => {
    const two = [song({ track: 1 }), song({ track: 12, title: 'Last', format: 'flac' })];
    expect(archiveNames(two, 'album')).toEqual(['01 Song.mp3', '12 Last.flac']);
    expect(archiveNames([two[0] as SongDocument, song({ disk: 2 })], 'album')).toEqual(['1-01 Song.mp3', '2-01 Song.mp3']);
    expect(archiveNames(two, 'artist')).toEqual(['Album/01 Song.mp3', 'Album/12 Last.flac']);
    expect(archiveNames(two, 'list')).toEqual(['01 Artist - Song.mp3', '02 Artist - Last.flac']);
    expect(archiveNames([song({ track: 0, artists: [] })], 'list')).toEqual(['01 Song.mp3']);
  });
  it('are never the same', () => {
    expect(archiveNames([song({}), song({ title: 'SONG' }), song({})], 'album')).toEqual([
      '01 Song.mp3',
      '01 SONG (2).mp3',
      '01 Song (3).mp3',
    ]);
  });
  it('lead nowhere', () => {
    const songs = [song({ title: '../../etc/passwd', album: { name: '..' } as SongDocument['album'], format: '../x' })];
    expect(archiveNames(songs, 'artist')).toEqual(['_/01 .._.._etc_passwd.__x']);
    expect(archiveNames(songs, 'album')).toEqual(['01 .._.._etc_passwd.__x']);
  });
});
