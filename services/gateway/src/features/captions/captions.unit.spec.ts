import { describe, expect, it } from 'vitest';
import { captionFilesOf } from './caption-files.js';
import { decodeCaptions } from './caption-text.js';
import { readSubStation } from './substation.js';
import { readTimedLines, writeSrt, writeVtt } from './timed-lines.js';

const cues = [
  { startMs: 1000, endMs: 2500, text: 'One & <i>two</i>' },
  { startMs: 3_723_004, endMs: 3_724_000, text: 'Three < four\nlines' },
];

describe('timed lines', () => {
  it('are written as SubRip and as WebVTT', () => {
    expect(writeSrt(cues)).toBe(
      '1\n00:00:01,000 --> 00:00:02,500\nOne & <i>two</i>\n\n2\n01:02:03,004 --> 01:02:04,000\nThree < four\nlines\n',
    );
    expect(writeVtt(cues)).toBe(
      'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\nOne &amp; <i>two</i>\n\n01:02:03.004 --> 01:02:04.000\nThree &lt; four\nlines\n',
    );
  });
  it('are read back from both', () => {
    expect(readTimedLines(writeSrt(cues), 'srt')).toEqual(cues);
    expect(readTimedLines(writeVtt(cues), 'vtt')).toEqual(cues);
  });
  it('are read as people write them', () => {
    const text =
      '7\r\n0:00:05.5 -->  0:00:06,75 X1:1\r\n<font color="red">Red</font> {\\an8}up\r\n8\r\n00:00:07,000 --> 00:00:08,000\r\nno line between\r\n\r\nstray\r\n\r\n9\r\n00:00:02,000 --> 00:00:01,000\r\nbackwards';
    expect(readTimedLines(text, 'srt')).toEqual([
      { startMs: 5500, endMs: 6750, text: 'Red up' },
      { startMs: 7000, endMs: 8000, text: 'no line between' },
    ]);
    const vtt =
      'WEBVTT - x\n\nNOTE a --> b\n\nSTYLE\n::cue {}\n\nid\n00:01.000 --> 00:02.000 line:0\n<v Ann>Hi <c.x>there</c> &amp; <00:01.5>you\n';
    expect(readTimedLines(vtt, 'vtt')).toEqual([{ startMs: 1000, endMs: 2000, text: 'Hi there & you' }]);
  });
  it('stay whole whatever the words say', () => {
    const odd = [{ startMs: 0, endMs: 10, text: 'a --> b\n\n\nc' }];
    expect(readTimedLines(writeSrt(odd), 'srt')).toEqual([{ startMs: 0, endMs: 10, text: 'a -> b\nc' }]);
    expect(readTimedLines(writeVtt(odd), 'vtt')).toEqual([{ startMs: 0, endMs: 10, text: 'a --> b\nc' }]);
  });
  it('are read in a time that grows with their length', () => {
    const begun = performance.now();
    for (const piece of ['<', '{\\', '00:00:00,000 --> ', '1\n', '00:00:00,000 --> 00:00:01,000\n', '\u0000'])
      readTimedLines(piece.repeat(1_000_000 / piece.length), 'srt');
    expect(performance.now() - begun).toBeLessThan(4000);
  });
});

describe('SubStation Alpha', () => {
  it('gives its words and times', () => {
    const text = [
      '[Script Info]',
      'Dialogue: 0,0:00:00.00,0:00:09.00,not,an,event,0,0,0,x',
      '[Events]',
      'Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text',
      'Dialogue: 0,0:00:03.50,0:00:04.00,Default,,0,0,0,,{\\i1}Second{\\i0}, with\\Ntwo lines',
      'Comment: 0,0:00:00.00,0:00:09.00,Default,,0,0,0,,hidden',
      'Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,First',
      'Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\p1}m 0 0 l 1 1',
      'Dialogue: broken',
    ].join('\r\n');
    expect(readSubStation(text)).toEqual([
      { startMs: 1000, endMs: 2000, text: 'First' },
      { startMs: 3500, endMs: 4000, text: 'Second, with\ntwo lines' },
    ]);
  });
});

describe('files of captions', () => {
  it('are called like their video', () => {
    const names = [
      'Film.mkv',
      'Film.srt',
      'FILM.de.forced.VTT',
      'Film 2.srt',
      'Film2.srt',
      'Film.en.ass',
      'Film.txt',
      'Other.srt',
      'Film.mkv.srt',
    ];
    expect(captionFilesOf('Film.mkv', names).map(({ fileName, label }) => [fileName, label])).toEqual([
      ['Film.srt', ''],
      ['Film 2.srt', '2'],
      ['FILM.de.forced.VTT', 'de.forced'],
      ['Film.en.ass', 'en'],
      ['Film.mkv.srt', 'mkv'],
    ]);
  });
  it('belong to the video that they are called after most closely', () => {
    const names = ['Film.mkv', 'Film 2.mkv', 'Film 2.srt', 'Film 2.en.srt', 'Film.en.srt'];
    expect(captionFilesOf('Film.mkv', names).map(({ fileName }) => fileName)).toEqual(['Film.en.srt']);
    expect(captionFilesOf('Film 2.mkv', names).map(({ fileName }) => fileName)).toEqual(['Film 2.srt', 'Film 2.en.srt']);
  });
  it('keep their keys', () => {
    const [alone] = captionFilesOf('Film.mkv', ['Film.en.srt']);
    expect(captionFilesOf('Film.mkv', ['Film.de.srt', 'Film.en.srt'])[1]).toEqual(alone);
  });
  it('are read in the character set that they are in', () => {
    const text = '1\n00:00:01,000 --> 00:00:02,000\nGrüße, señor, ça va\n';
    expect(decodeCaptions(Buffer.from(text))).toBe(text);
    expect(decodeCaptions(Buffer.from(`\ufeff${text}`))).toBe(text);
    expect(decodeCaptions(Buffer.from(text, 'latin1'))).toBe(text);
    const short = '1\n00:00:02,000 --> 00:00:04,000\nGrüße\n';
    expect(decodeCaptions(Buffer.from(short, 'latin1'))).toBe(short);
    const russian =
      'cff0e8e2e5f22c20eae0ea20f220e4e5ebe03f20cce5edff20e7eee2f3f220c8e2e0ed2c20e820ff20eef7e5edfc20f0e0e420f2e5e1ff20e2e8e4e5f2fc20f1e5e3eee4edff2e';
    expect(decodeCaptions(Buffer.from(russian, 'hex'))).toMatch(/Привет.*Меня зовут Иван, и я очень рад тебя видеть сегодня\./);
    expect(decodeCaptions(Buffer.from(text, 'utf16le'))).toBe(text);
    expect(decodeCaptions(Buffer.from(`\ufeff${text}`, 'utf16le'))).toBe(text);
    expect(decodeCaptions(Buffer.from(`\ufeff${text}`, 'utf16le').swap16())).toBe(text);
    expect(decodeCaptions(Buffer.from([0, 1, 2, 255, 254]))).not.toContain('\0');
  });
});
