import { describe, expect, it } from 'vitest';
import { cueFileOf, readCueBlock, readCueSheet } from './cue-sheet.js';

const two = (file: string): string =>
  `FILE "${file}" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n  TRACK 02 AUDIO\n    INDEX 00 03:58:00\n    INDEX 01 04:00:37\n`;

describe('a cue sheet', () => {
  it('says what it is about, with and without quotes, in any line ends', () => {
    const sheet = readCueSheet(
      `REM GENRE "Trip Hop"\rREM DATE 1994\r\nPERFORMER Somebody Else\nTITLE "A "\nCATALOG 123\nUNKNOWN line\n${two('a.wav')}`,
    );
    expect(sheet).toMatchObject({ performer: 'Somebody Else', title: 'A', catalog: '123' });
    expect([...sheet.remarks]).toEqual([
      ['GENRE', 'Trip Hop'],
      ['DATE', '1994'],
    ]);
    expect(sheet.files[0]?.tracks.map(({ number, startMs }) => [number, startMs])).toEqual([
      [1, 0],
      [2, 240_493],
    ]);
  });

  it('is read at once, however long its lines are', () => {
    const sheet = readCueSheet(`TITLE A${' '.repeat(500_000)}B\n${two('a.wav')}`);
    expect(sheet.files).toHaveLength(1);
  });

  it('cuts the file that it names, whatever suffix and folder it names', () => {
    for (const named of ['disc.flac', 'DISC.FLAC', 'disc.wav', 'C:\\rips\\disc.wav', 'rips/disc.ape'])
      expect(cueFileOf(readCueSheet(two(named)), 'disc.flac', false)?.tracks).toHaveLength(2);
    expect(cueFileOf(readCueSheet(two('other.wav')), 'disc.flac', false)).toBeUndefined();
    expect(cueFileOf(readCueSheet(two('other.wav')), 'disc.flac', true)?.tracks).toHaveLength(2);
  });

  it('cuts nothing with one track, twice the same number, tracks of data, or no times', () => {
    const one = 'FILE "a.flac" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n';
    for (const text of [
      one,
      two('a.flac').replace('TRACK 02', 'TRACK 01'),
      two('a.flac').replace('02 AUDIO', '02 MODE1/2352'),
      two('a.flac').replaceAll('INDEX 01', 'INDEX 07'),
      'nothing of all this',
      '',
      'TRACK',
      'INDEX 01 00:00:00',
    ])
      expect(cueFileOf(readCueSheet(text), 'a.flac', true)).toBeUndefined();
  });

  it('is not led astray by what is too much', () => {
    const tracks = Array.from({ length: 5000 }, (_, n) => `TRACK ${n % 100} AUDIO\nINDEX 01 ${n}:00:00\n`).join('');
    expect(cueFileOf(readCueSheet(`FILE "a.flac" WAVE\n${tracks}`), 'a.flac', true)).toBeUndefined();
    expect(readCueSheet(`TITLE "${'x'.repeat(100_000)}`).title?.length).toBeLessThanOrEqual(400);
  });

  it('reads nothing from a block that is cut off', () => {
    for (const length of [0, 10, 396, 410]) {
      const block = Buffer.alloc(length);
      if (length > 395) block[395] = 99;
      expect(readCueBlock(block, 44_100).files[0]?.tracks).toEqual([]);
    }
  });
});
