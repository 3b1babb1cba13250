import { parseConfig } from '@continuo/chassis';
import { describe, expect, it } from 'vitest';
import { playbackConfig } from '../config.js';
import { listenBrainzBase, relaySettings } from './relay-settings.js';

const config = (more: Record<string, string> = {}) =>
  parseConfig(playbackConfig, { DATABASE_URL: 'x', NATS_URL: 'x', CONTINUO_SECRET: 'x'.repeat(32), ...more });

describe('the address of a server with the protocol of ListenBrainz', () => {
  it.each([
    ['https://api.listenbrainz.org', 'https://api.listenbrainz.org'],
    ['https://api.listenbrainz.org/', 'https://api.listenbrainz.org'],
    ['https://api.listenbrainz.org/1/', 'https://api.listenbrainz.org'],
    ['https://maloja.example/apis/listenbrainz', 'https://maloja.example/apis/listenbrainz'],
    ['https://maloja.example/apis/listenbrainz/1/submit-listens', 'https://maloja.example/apis/listenbrainz'],
    ['http://box:42010/apis/mlj_1', 'http://box:42010/apis/mlj_1'],
  ])('is read from %s', (text, base) => expect(listenBrainzBase(text)).toBe(base));

  it.each([
    '',
    'maloja.example',
    'ftp://maloja.example',
    'https://me:secret@maloja.example',
    'https://maloja.example/?a=b',
    'https://maloja.example/#x',
    'http://box:22/',
  ])('is not "%s"', (text) => expect(() => listenBrainzBase(text)).toThrow(expect.objectContaining({ code: 'input.invalid' }) as Error));
});

describe('settings', () => {
  it('offer Last.fm only with a key and its secret', () => {
    expect(relaySettings(config()).lastfm).toBeUndefined();
    expect(relaySettings(config({ LASTFM_API_KEY: 'k', LASTFM_API_SECRET: 's' })).lastfm).toMatchObject({
      keys: { apiKey: 'k', secret: 's' },
    });
    expect(() => relaySettings(config({ LASTFM_API_KEY: 'k' }))).toThrow('belong together');
  });
});
