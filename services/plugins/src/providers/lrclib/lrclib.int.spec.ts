import { describe, expect, it } from 'vitest';
import { provider } from '../../../test/providers/provider.js';

const start = provider('lrclib', ['url']);
const song = { title: 'Loom', artist: 'Ada & the Engines', album: 'Difference', durationMs: 61_400 };
const record = {
  id: 7,
  trackName: 'Loom',
  artistName: 'Ada and The Engines',
  albumName: 'Difference',
  duration: 61,
  instrumental: false,
  plainLyrics: 'Over\nand under\n',
  syncedLyrics: '[00:01.00] Over\n[00:02.50] and under\n',
};
const exact = {
  path: '/api/get',
  query: { track_name: 'Loom', artist_name: 'Ada & the Engines', album_name: 'Difference', duration: '61' },
};
const search = { path: '/api/search', query: { track_name: 'Loom', artist_name: 'Ada & the Engines' } };
const words = { plain: 'Over\nand under', synced: '[00:01.00] Over\n[00:02.50] and under' };

describe('LRCLIB', () => {
  it('returns the lyrics of a song', async () => {
    const { ask, service } = await start([{ ...exact, json: record }]);
    expect(await ask('lyrics', 'find', song)).toEqual(words);
    expect(service.asked).toHaveLength(1);
  });

  it('returns lyrics of another album when the length matches', async () => {
    const others = [
      { ...record, duration: 200, syncedLyrics: 'too long' },
      { ...record, artistName: 'Mary', syncedLyrics: 'of another' },
      { ...record, syncedLyrics: null, plainLyrics: 'without times' },
      { ...record, duration: 63.2 },
    ];
    const { ask } = await start([{ ...search, json: others }]);
    expect(await ask('lyrics', 'find', song)).toEqual(words);
  });

  it('knows songs without words, and songs it does not know', async () => {
    const { ask, service } = await start([{ ...exact, json: { ...record, instrumental: true, plainLyrics: null, syncedLyrics: null } }]);
    expect(await ask('lyrics', 'find', song)).toEqual({ instrumental: true });
    expect(await ask('lyrics', 'find', { ...song, title: 'Other' })).toBeUndefined();
    expect(await ask('lyrics', 'find', { title: 'Other' })).toBeUndefined();
    const askedBefore = service.asked.length;
    expect(await ask('lyrics', 'find', { ...song, title: 'Other' })).toBeUndefined();
    expect(service.asked).toHaveLength(askedBefore);
  });
});
