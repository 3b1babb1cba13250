import { describe, expect, it } from 'vitest';
import { enhancedLrc, lyricsWithTimes } from './lyrics.js';
import type { LyricsText } from './messages/track.js';

const plain: LyricsText = { language: 'eng', synced: false, source: 'tag', lines: [{ text: 'one' }, { text: 'two' }] };
const synced = (...lines: LyricsText['lines']): LyricsText => ({ language: 'eng', synced: true, source: 'file', lines });

describe('lyrics in one field', () => {
  it('are the text with times where there is one', () => {
    expect(lyricsWithTimes([plain, synced({ startMs: 0, text: 'one' }, { startMs: 900, text: 'two' })])).toBe(
      '[00:00.00]one\n[00:00.90]two',
    );
  });

  it('have plain lines where no time is known, and are none without a text', () => {
    expect(lyricsWithTimes([plain])).toBe('one\ntwo');
    expect(lyricsWithTimes([synced({ text: 'one' }, { startMs: 10, text: '' })])).toBe('one\n[00:00.01]');
    expect(lyricsWithTimes([])).toBeUndefined();
  });

  it('count minutes on beyond the hour, and cut hundredths off', () => {
    expect(lyricsWithTimes([synced({ startMs: 61_239, text: 'a' }, { startMs: 6_000_000, text: 'b' })])).toBe('[01:01.23]a\n[100:00.00]b');
  });
});

describe('enhanced LRC', () => {
  it('has the times of words where they are known, and of the end of the last one', () => {
    const cues: [number, number][] = [
      [1000, 0],
      [1500, 4],
    ];
    const lines = [
      { startMs: 1000, text: 'one two', cues, endMs: 2250 },
      { startMs: 3000, text: 'three' },
    ];
    expect(enhancedLrc(synced(...lines))).toBe('[00:01.00]<00:01.00>one <00:01.50>two<00:02.25>\n[00:03.00]three');
  });

  it('keeps words before the first time, and text without times', () => {
    expect(enhancedLrc(synced({ startMs: 0, text: 'oh one', cues: [[500, 3]] }))).toBe('[00:00.00]oh <00:00.50>one');
    expect(enhancedLrc(plain)).toBe('one\ntwo');
  });
});
