import { describe, expect, it } from 'vitest';
import { isTimed, lineAt, readLyrics } from './lrc.js';

describe('lyrics', () => {
  it('reads times of lines', () => {
    expect(readLyrics('[00:01.20]one\n[01:05]two\r\n[100:00.005] three ')).toEqual([
      { text: 'one', startS: 1.2 },
      { text: 'two', startS: 65 },
      { text: 'three', startS: 6000.005 },
    ]);
  });

  it('puts lines that are sung more than once where they belong', () => {
    expect(readLyrics('[00:10.00][00:30.00]again\n[00:20.00]verse').map(({ text }) => text)).toEqual(['again', 'verse', 'again']);
  });

  it('leaves out what says something of the file, and shifts by its offset', () => {
    expect(readLyrics('[ar:Somebody]\n[offset:+500]\n[00:01.00]one')).toEqual([{ text: 'one', startS: 0.5 }]);
  });

  it('reads times of words, as files and the server write them', () => {
    const [line] = readLyrics('[00:01.00]<00:01.00> one <00:01.50> two <00:02.00>');
    expect(line).toEqual({
      text: 'one two',
      startS: 1,
      words: [
        { text: ' one ', startS: 1 },
        { text: ' two ', startS: 1.5 },
      ],
    });
    const [early] = readLyrics('[offset:500]\n[00:01.00]oh <00:01.50>one <00:02.00>two');
    expect(early?.words).toEqual([
      { text: 'oh ', startS: 0.5 },
      { text: 'one ', startS: 1 },
      { text: 'two', startS: 1.5 },
    ]);
  });

  it('leaves out times of words that stand for more than one time of the line', () => {
    expect(readLyrics('[00:01.00][00:09.00]<00:01.00>one')).toEqual([
      { text: 'one', startS: 1 },
      { text: 'one', startS: 9 },
    ]);
  });

  it('keeps plain words with their gaps, and brackets that are no times', () => {
    const lines = readLyrics('one\n\n[Chorus]\ntwo');
    expect(lines.map(({ text }) => text)).toEqual(['one', '', '[Chorus]', 'two']);
    expect(isTimed(lines)).toBe(false);
  });

  it('leaves out lines without a time among timed ones', () => {
    expect(readLyrics('title\n[00:01.00]one')).toEqual([{ text: 'one', startS: 1 }]);
  });

  it('finds the line of a position', () => {
    const lines = readLyrics('[00:01.00]one\n[00:03.00]two');
    expect([0, 1, 2.9, 3, 99].map((positionS) => lineAt(lines, positionS))).toEqual([-1, 0, 0, 1, 1]);
    expect(isTimed(lines)).toBe(true);
  });
});
