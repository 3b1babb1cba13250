import { expect, it } from 'vitest';
import { beginsLikeCaptions } from './caption-text.js';

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

it.each([
  ['SubRip', Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nHello\n')],
  ['SubRip with a mark and blank lines', Buffer.from('\ufeff\r\n\r\n1\r\n00:00:01,000 --> 00:00:02,000\r\n')],
  ['SubRip without numbers', Buffer.from('00:00:01,000 --> 00:00:02,000\nHello\n')],
  ['SubRip in UTF-16', utf16('1\n00:00:01,000 --> 00:00:02,000\n')],
  ['SubRip in UTF-16, the other way round', utf16('1\n00:00:01,000 --> 00:00:02,000\n').swap16()],
  ['WebVTT', Buffer.from('WEBVTT - a title\n\n00:01.000 --> 00:02.000\n')],
  ['WebVTT with a note', Buffer.from('WEBVTT\n\nNOTE x\n')],
  ['SubStation Alpha', Buffer.from('[Script Info]\nTitle: x\n')],
  ['SubStation Alpha with remarks', Buffer.from('; made by hand\n[Script Info]\n')],
])('%s is taken', (_, head) => {
  expect(beginsLikeCaptions(head)).toBe(true);
});

it.each([
  ['list of HLS', '#EXTM3U\n#EXT-X-TARGETDURATION:10\n'],
  ['list of files', "ffconcat version 1.0\nfile 'x.ass'\n"],
  ['manifest', '<?xml version="1.0"?><MPD/>'],
  ['session description', 'v=0\no=- 0 0 IN IP4 127.0.0.1\n'],
  ['list of tags', ';FFMETADATA1\ntitle=x\n'],
  ['play list', '[playlist]\nFile1=x\n'],
  ['redirection', '[Reference]\nRef1=http://x\n'],
  ['film', '\u001aE\u00df\u00a3'],
  ['nothing', ''],
  ['only blanks', ' \n\n'],
])('a %s is not', (_, text) => {
  expect(beginsLikeCaptions(Buffer.from(text, 'latin1'))).toBe(false);
});
