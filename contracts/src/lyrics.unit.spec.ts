import { describe, expect, it } from 'vitest';
import { lyricsWithTimes } from './lyrics.js';
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
