import type { LyricsText } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { creditsFrom, mbidsOf, rejoinSlashes } from './credits.js';
import { isoDate, yearOf } from './dates.js';
import { canonicalJson, digestOf } from './digest.js';
import { albumOfPath, discOfFolder, partsOfFileName } from './file-name.js';
import { genreTermsFrom } from './genres.js';
import { loudnessFrom } from './loudness.js';
import { parseLrc } from './lrc.js';
import { boundLyrics, lyricsFromText } from './lyrics.js';
import { cleanLines, cleanList, cleanText } from './text.js';

const ONE = '11111111-1111-4111-8111-111111111111';
const TWO = '22222222-2222-4222-8222-222222222222';
const credits = (names: string[], more: { line?: string; mbids?: string[]; sortNames?: string[] } = {}) =>
  creditsFrom({ names, mbids: [], sortNames: [], ...more });

describe('clean text', () => {
  it('drops what breaks parsers and keeps the rest', () => {
    expect(cleanText('a\u0000b\u0007c\u009d\ufffe')).toBe('abc');
    expect(cleanText('x\ud800y')).toBe('x\ufffdy');
    expect(cleanText('😀 ok')).toBe('😀 ok');
    expect(cleanText('  two\n lines\t here ')).toBe('two lines here');
    expect(cleanLines('two\r\nlines\rhere', 100)).toBe('two\nlines\nhere');
  });

  it('bounds length without cutting a character in two, and takes nothing but text', () => {
    expect(cleanText('a'.repeat(5000))).toHaveLength(400);
    expect(cleanText('😀'.repeat(10), 3)?.isWellFormed()).toBe(true);
    for (const value of ['', '  ', '\u0000', null, undefined, {}, Number.NaN]) expect(cleanText(value)).toBeUndefined();
    expect(cleanText(7)).toBe('7');
    expect(cleanList(['a', ' a ', '', 'b', 'c'], 2)).toEqual(['a', 'b']);
  });
});

describe('credits', () => {
  it.each([
    ['A feat. B', ['A', 'B']],
    ['A ft. B', ['A', 'B']],
    ['A (feat. B)', ['A', 'B']],
    ['A featuring B; C', ['A', 'B', 'C']],
    ['A; B', ['A', 'B']],
    ['A / B', ['A', 'B']],
    ['AC/DC', ['AC/DC']],
    ['Simon & Garfunkel', ['Simon & Garfunkel']],
    ['Tyler, The Creator', ['Tyler, The Creator']],
    ['Defeat. The Band', ['Defeat. The Band']],
  ])('reads %s', (line, names) => {
    expect(credits([line]).credits.map((credit) => credit.name)).toEqual(names);
  });

  it('leaves guests out of whom an album falls back to, and keeps the printed line', () => {
    expect(credits(['A feat. B'])).toMatchObject({ main: [{ name: 'A' }], printed: 'A feat. B' });
    expect(credits(['A', 'B'], { line: 'A feat. B' })).toMatchObject({ main: [{ name: 'A' }], printed: 'A feat. B' });
    expect(credits(['A', 'B'], { line: 'A, B' }).printed).toBeUndefined();
    expect(credits(['A']).printed).toBeUndefined();
    expect(credits([])).toEqual({ credits: [], main: [] });
  });

  it('pairs ids with names only where their numbers agree', () => {
    expect(credits(['A', 'B'], { mbids: [ONE, TWO] }).credits).toEqual([
      { name: 'A', mbid: ONE },
      { name: 'B', mbid: TWO },
    ]);
    expect(credits(['A', 'B'], { mbids: [ONE] }).credits).toEqual([{ name: 'A' }, { name: 'B' }]);
    expect(credits(['A & B'], { mbids: [ONE, TWO] }).credits.map((credit) => credit.name)).toEqual(['A', 'B']);
    expect(credits(['A; B'], { mbids: [ONE] }).credits).toEqual([{ name: 'A; B', mbid: ONE }]);
    expect(credits(['A', 'B'], { sortNames: ['a', 'b'] }).credits[1]).toEqual({ name: 'B', sortName: 'b' });
  });

  it('finds ids in any separators', () => {
    expect(mbidsOf([`${ONE}/${TWO.toUpperCase()}`])).toEqual([ONE, TWO]);
    expect(mbidsOf('no id')).toEqual([]);
  });

  it('puts names together that were split at a slash', () => {
    expect(rejoinSlashes(['AC', 'DC'], 0)).toEqual(['AC/DC']);
    expect(rejoinSlashes(['First Band', 'Second Band'], 0)).toEqual(['First Band', 'Second Band']);
    expect(rejoinSlashes(['First Band', 'Second Band'], 1)).toEqual(['First Band/Second Band']);
    expect(rejoinSlashes(['AC', 'DC'], 2)).toEqual(['AC', 'DC']);
  });
});

describe('genres, dates, loudness', () => {
  it('splits genres where it is safe and joins spellings', () => {
    expect(genreTermsFrom(['Rock; Pop / Jazz', 'rock', 'Hip-Hop/Rap', 'A|B', 'Folk, World, & Country'])).toEqual([
      'Rock',
      'Pop',
      'Jazz',
      'Hip-Hop/Rap',
      'A',
      'B',
      'Folk, World, & Country',
    ]);
    expect(genreTermsFrom(undefined)).toEqual([]);
  });

  it.each([
    ['2004', '2004'],
    ['2004-05', '2004-05'],
    ['2004-05-17', '2004-05-17'],
    ['20040517', '2004-05-17'],
    ['2004/05/17', '2004-05-17'],
    ['2004-05-17T10:00:00Z', '2004-05-17'],
    ['2004-00-00', '2004'],
    ['2004-13-01', '2004'],
    ['0000', undefined],
    ['May 2004', undefined],
    ['', undefined],
  ])('reads the date %s', (text, date) => {
    expect(isoDate(text)).toBe(date);
  });

  it('believes plausible years only', () => {
    expect([yearOf(1999), yearOf('1999-05'), yearOf(0), yearOf(Number.NaN), yearOf('x'), yearOf(99_999)]).toEqual([
      1999,
      1999,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('reads gains with and without unit, and leaves nonsense out', () => {
    const tags: Record<string, string> = {
      replaygain_track_gain: '-6,5 dB',
      replaygain_track_peak: '0.98',
      replaygain_album_gain: '+3.25',
      replaygain_album_peak: 'loud',
      r128_track_gain: '-1536',
      r128_album_gain: '99999',
    };
    expect(loudnessFrom((name) => tags[name])).toEqual({ trackGainDb: -6.5, trackPeak: 0.98, albumGainDb: 3.25, r128TrackGain: -1536 });
  });
});

describe('file names', () => {
  it.each([
    ['01 - Title.mp3', { title: 'Title', track: 1 }],
    ['01 Title.mp3', { title: 'Title', track: 1 }],
    ['12. Title.mp3', { title: 'Title', track: 12 }],
    ['1-02 Title.flac', { title: 'Title', disk: 1, track: 2 }],
    ['07_Some_Song.mp3', { title: 'Some Song', track: 7 }],
    ['99 Luftballons.mp3', { title: '99 Luftballons' }],
    ['1999.mp3', { title: '1999' }],
    ['50 Cent - In da Club.mp3', { title: '50 Cent - In da Club' }],
    ['Artist - Title.ogg', { title: 'Artist - Title' }],
    ['01.mp3', { title: '01' }],
  ])('reads %s', (name, parts) => {
    expect(partsOfFileName(name)).toEqual(parts);
  });

  it('knows folders of discs', () => {
    expect(['CD1', 'Disc 2', 'disk_03 - Live', 'CD Collection', 'Discovery', 'Vol. 4'].map(discOfFolder)).toEqual([
      1,
      2,
      3,
      undefined,
      undefined,
      4,
    ]);
    expect(albumOfPath('Artist/Album')).toBe('Album');
    expect(albumOfPath('Artist/Album/CD1')).toBe('Album');
    expect(albumOfPath('')).toBeUndefined();
  });
});

describe('LRC', () => {
  it('reads stamps of every spelling, several to a line, in order of time', () => {
    const text = '[ti:x]\n[la:DE]\n[00:12.34]one\n[00:01:5][01:00.123] two\n[00:03]<00:03.1>w<00:03.5>ords\nno stamp';
    expect(parseLrc(text)).toEqual({
      language: 'de',
      lines: [
        { startMs: 1500, text: 'two' },
        {
          startMs: 3000,
          text: 'words',
          cues: [
            [3100, 0],
            [3500, 1],
          ],
        },
        { startMs: 12_340, text: 'one' },
        { startMs: 60_123, text: 'two' },
      ],
    });
  });

  it('shifts by the offset, wherever it stands, never below zero', () => {
    expect(parseLrc('[00:02.00]a\n[offset:+1500]\n[00:01.00]b')?.lines).toEqual([
      { startMs: 0, text: 'b' },
      { startMs: 500, text: 'a' },
    ]);
    expect(parseLrc('[offset:-500]\n[00:01.00]b')?.lines[0]?.startMs).toBe(1500);
  });

  it('keeps the times of words, from when a line begins until its last stamp', () => {
    const lineOf = (text: string) => parseLrc(text)?.lines[0];
    const text = '[00:10.00]<00:10.00> Näh <00:10.50> mich <00:11.00> <00:11.20>zu <00:12.00>';
    expect(lineOf(text)).toEqual({
      startMs: 10_000,
      text: 'Näh mich zu',
      cues: [
        [10_000, 0],
        [10_500, 4],
        [11_000, 9],
        [11_200, 9],
      ],
      endMs: 12_000,
    });
    expect(lineOf(`[offset:+500]\n[00:10.00]up<00:10.40>on`)).toEqual({
      startMs: 9500,
      text: 'upon',
      cues: [
        [9500, 0],
        [9900, 2],
      ],
    });
    // Times that go back, and those of a line that comes twice, say nothing of words.
    expect(lineOf('[00:10]ab<00:11>')).toEqual({ startMs: 10_000, text: 'ab', cues: [[10_000, 0]], endMs: 11_000 });
    expect(lineOf('[00:10]<00:12>a<00:11>b')).toEqual({ startMs: 10_000, text: 'ab' });
    expect(lineOf('[00:10][00:20]<00:10>a<00:11>b')).toEqual({ startMs: 10_000, text: 'ab' });
  });

  it('keeps no more times of words than fit', () => {
    const line = `[00:01]${'<00:01>a'.repeat(300)}`;
    const kept = boundLyrics([lyricsFromText(Array.from({ length: 16 }, () => line).join('\n'), 'eng', 'file') as LyricsText]);
    const counts = kept.flatMap(({ lines }) => lines.map(({ cues }) => cues?.length ?? 0));
    expect([counts.length, counts.filter((count) => count > 0).length]).toEqual([16, 13]);
  });

  it('is nothing without stamps', () => {
    expect(parseLrc('just\nwords')).toBeUndefined();
    expect(lyricsFromText('just\nwords', 'ENG', 'file')).toMatchObject({
      synced: false,
      language: 'eng',
      lines: [{ text: 'just' }, { text: 'words' }],
    });
    expect(lyricsFromText(' \n', undefined, 'file')).toBeUndefined();
  });

  it('bounds lines and text, and drops repetitions', () => {
    const long = { language: 'xxx', synced: false, source: 'tag', lines: Array.from({ length: 9000 }, () => ({ text: 'la' })) } as const;
    const kept = boundLyrics([
      { ...long, lines: [...long.lines] },
      { ...long, lines: [...long.lines] },
    ]);
    expect(kept).toHaveLength(1);
    expect(kept[0]?.lines.length).toBeLessThanOrEqual(3000);
  });
});

describe('other lyrics with times', () => {
  const lines = (text: string, language?: string) => lyricsFromText(text, language, 'file');

  it('have their language from [lang:], unless the tag names one', () => {
    for (const header of ['[lang:de]', '[LANG: de]', '[la:de]', '[language:de]'])
      expect(lines(`${header}\n[00:01.00]Hallo`)).toMatchObject({
        language: 'de',
        synced: true,
        lines: [{ startMs: 1000, text: 'Hallo' }],
      });
    expect(lines('[lang:de]\n[00:01.00]Hallo', 'XXX')).toMatchObject({ language: 'de' });
    expect(lines('[lang:de]\n[00:01.00]Hallo', 'eng')).toMatchObject({ language: 'eng' });
  });

  it('are read from SRT', () => {
    const srt =
      '\uFEFF1\r\n00:00:01,500 --> 00:00:03,000\r\n<i>First</i> line\r\nof two\r\n\r\n2\r\n01:00:04,25 --> 01:00:05,000\r\n{\\an8}42\r\n';
    expect(lines(srt)).toMatchObject({
      synced: true,
      lines: [
        { startMs: 1500, text: 'First line of two' },
        { startMs: 3_604_250, text: '42' },
      ],
    });
    expect(lines('1\nA song --> about\narrows')).toMatchObject({ synced: false, lines: [{ text: '1' }, {}, { text: 'arrows' }] });
  });

  it('are read from TTML, with the times of words', () => {
    const head = '<?xml version="1.0"?><tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttm="http://www.w3.org/ns/ttml#metadata" xml:lang="fr">';
    const body =
      '<head><metadata><x>none of this</x></metadata></head><body><div><p begin="00:10.5" end="12s">Deux &amp;<br/>demi</p>' +
      '<p begin="1.25s" end="3s"><span begin="1.25" end="1.5">Un</span> <span begin="1500ms" end="3.0">jour</span>' +
      '<span ttm:role="x-translation">One day</span></p></div></body></tt>';
    expect(lines(head + body)).toEqual({
      language: 'fr',
      synced: true,
      source: 'file',
      lines: [
        {
          startMs: 1250,
          text: 'Un jour',
          cues: [
            [1250, 0],
            [1500, 3],
          ],
          endMs: 3000,
        },
        { startMs: 10_500, text: 'Deux & demi' },
      ],
    });
    expect(lines(`${head}<body><p>Words</p><p>alone</p></body></tt>`)).toMatchObject({
      synced: false,
      lines: [{ text: 'Words' }, { text: 'alone' }],
    });
    expect(lines(`${head}<body/></tt>`)).toBeUndefined();
    expect(lines('<three> words')).toMatchObject({ synced: false, lines: [{ text: '<three> words' }] });
  });

  it('take nothing out of a document that it refers to', () => {
    const bomb = '<!DOCTYPE tt [<!ENTITY a "xxxx"><!ENTITY b SYSTEM "file:///etc/passwd">]>';
    expect(lines(`<?xml version="1.0"?>${bomb}<tt><body><p begin="1s">&a;&b;ok</p></body></tt>`)?.lines).toEqual([
      { startMs: 1000, text: '&a;&b;ok' },
    ]);
  });
});

describe('digest', () => {
  it('does not depend on the order of keys or on absent values', () => {
    expect(canonicalJson({ b: [1, { d: undefined, c: null }], a: 'x' })).toBe('{"a":"x","b":[1,{"c":null}]}');
    expect(digestOf({ a: 1, b: 2 })).toBe(digestOf({ b: 2, a: 1, c: undefined }));
    expect(digestOf({ a: 1 })).toMatch(/^[0-9a-f]{40}$/);
  });
});
