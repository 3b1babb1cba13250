import { userId } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { playerUrls } from './player-urls.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const me = userId.parse(4);

describe('signed addresses of players', () => {
  let nowMs = 1000 * HOUR_MS;
  const urls = playerUrls('a secret of at least thirty-two characters', () => nowMs);
  const params = { type: 'song', oid: '7', name: 'a.flac' };
  const ssid = urls.sign(me, params);

  it('open what they were made for, in whatever order', () => {
    expect(urls.check(ssid, { name: 'a.flac', ssid, oid: '7', type: 'song' })).toBe(me);
    expect(urls.sign(me, params)).toBe(ssid);
  });

  it.each<[string, Record<string, unknown>]>([
    ['another song', { ...params, oid: '8' }],
    ['one song more', { ...params, oid: ['7', '8'] }],
    ['a number for a text', { ...params, oid: 7 }],
    ['a song by chance', { ...params, random: '1' }],
    ['a download', { ...params, action: 'download' }],
    ['less than was signed', { type: 'song', oid: '7' }],
    ['nothing', {}],
  ])('do not open %s', (_, changed) => {
    expect(urls.check(ssid, changed)).toBeUndefined();
    expect(urls.isOurs(ssid, changed)).toBe(false);
  });

  it.each([
    ['for somebody else', ssid.replace(/^l-4-/, 'l-5-')],
    ['for longer', ssid.replace(/^(l-4-)[a-z0-9]+/, '$1zzzzzz')],
    ['in another form', `x${ssid}`],
    ['with another mark', `${ssid.slice(0, -1)}${ssid.endsWith('0') ? '1' : '0'}`],
    ['of another server', playerUrls('another secret of thirty-two chars', () => nowMs).sign(me, params)],
    ['empty', ''],
  ])('do not open anything %s', (_, token) => {
    expect(urls.check(token, params)).toBeUndefined();
  });

  it('open nothing after a month, and still tell what they were', () => {
    nowMs += 29 * DAY_MS;
    expect(urls.check(ssid, params)).toBe(me);
    nowMs += 2 * DAY_MS;
    expect(urls.check(ssid, params)).toBeUndefined();
    expect(urls.isOurs(ssid, params)).toBe(true);
  });
});
