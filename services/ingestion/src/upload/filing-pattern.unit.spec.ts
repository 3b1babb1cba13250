import { describe, expect, it } from 'vitest';
import { folderByPattern, nameByPattern, safeSegment, type FiledTrack } from './filing-pattern.js';

const track: FiledTrack = {
  title: 'Home / Away',
  artist: 'Guest',
  album: 'Harbour: Lights?',
  albumArtist: 'Mira Vale',
  genre: 'Folk',
  year: 1999,
  originalYear: 0,
  disk: 2,
  track: 7,
  comment: '',
  label: 'Tin Roof',
  barcode: '',
  catalogNumber: 'TR-1',
  releaseType: 'album',
};

describe('patterns', () => {
  it('name folders and files of what tags say', () => {
    expect(folderByPattern('%a/%A', track)).toBe('Mira Vale/Harbour_ Lights_');
    expect(nameByPattern('%T - %t', track, 'upload.FLAC')).toBe('07 - Home _ Away.FLAC');
    expect(nameByPattern('%d-%T %a', track, 'x.mp3')).toBe('2-07 Guest.mp3');
    expect(folderByPattern('%g/%Y %A (%r)', track)).toBe('Folk/1999 Harbour_ Lights_ (album)');
  });
  it('leave nothing dangling of what is not known', () => {
    const bare = { ...track, track: 0, album: '', year: 0, albumArtist: '', artist: '', releaseType: '' };
    expect(nameByPattern('%T - %t', bare, 'x.mp3')).toBe('Home _ Away.mp3');
    expect(folderByPattern('%a/%A (%y) [%r]', bare)).toBe('Unknown/Unknown');
  });
  it('keep the name without a pattern, and letters that mean nothing', () => {
    expect(nameByPattern(null, track, 'My song.mp3')).toBe('My song.mp3');
    expect(folderByPattern(null, track)).toBe('');
    expect(nameByPattern('%q %t', track, 'x.mp3')).toBe('%q Home _ Away.mp3');
  });
  it('never lead anywhere, whatever tags hold', () => {
    for (const evil of ['../../etc', '..', '.', '/etc/passwd', '.hidden', 'a\0b', 'C:\\x', '\u202Egnp.exe', ' . ', '']) {
      const made = folderByPattern('%a/%A', { ...track, albumArtist: evil, artist: evil, album: evil });
      expect(made.split('/')).toHaveLength(2);
      for (const segment of made.split('/')) expect(segment).toMatch(/^[^./\\:\0\p{Cf}][^/\\:\0\p{Cf}]*$/u);
      const name = nameByPattern('%t', { ...track, title: evil }, 'x.mp3');
      expect(name).toMatch(/^[^./\\:\0\p{Cf}][^/\\:\0\p{Cf}]*\.mp3$/u);
    }
    expect(folderByPattern('../%A/../..', track)).toBe('_/Harbour_ Lights_/_/_');
  });
  it('cut segments to what file systems take, at whole characters', () => {
    const long = safeSegment('ж😀'.repeat(200));
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(200);
    expect(long.isWellFormed()).toBe(true);
    expect(Buffer.byteLength(nameByPattern('%T - %t', { ...track, title: '界'.repeat(300) }, `x.${'s'.repeat(90)}`))).toBeLessThan(255);
  });
});
