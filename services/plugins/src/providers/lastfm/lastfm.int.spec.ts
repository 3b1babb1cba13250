import { describe, expect, it } from 'vitest';
import { provider } from '../../../test/providers/provider.js';

const start = provider('lastfm', ['url'], { apiKey: 'k3y' });
const method = (name: string, more: Readonly<Record<string, string>> = {}) => ({
  path: '/',
  query: { method: name, api_key: 'k3y', format: 'json', ...more },
});
const unknown = { status: 404, json: { error: 6, message: 'The artist you supplied could not be found' } };

const info = {
  artist: {
    name: 'Ada & the Engines',
    mbid: '11111111-1111-4111-8111-111111111111',
    url: 'https://www.last.fm/music/Ada+&+the+Engines',
    image: [{ '#text': 'https://lastfm.example/star.png', size: 'small' }],
    streamable: '0',
    stats: { listeners: '12', playcount: '34' },
    tags: { tag: [{ name: 'steam', url: 'u' }] },
    bio: {
      published: '01 Jan 2006, 00:00',
      summary: 'Short. <a href="https://www.last.fm/music/x">Read more on Last.fm</a>',
      content:
        'They began &amp; went on.\n\nAnd <i>on</i>. <a href="https://www.last.fm/music/x">Read more on Last.fm</a>. Text is available under the licence of those who wrote it.',
    },
  },
};
const similar = {
  similarartists: {
    artist: [
      { name: 'Charles', mbid: '66666666-6666-4666-8666-666666666666', match: '1' },
      { name: 'Mary', match: '0.5' },
    ],
    '@attr': { artist: 'Ada & the Engines' },
  },
};

describe('Last.fm', () => {
  it('tells of artists, and who is like them', async () => {
    const { ask, service } = await start([
      { ...method('artist.getinfo', { artist: 'Ada & the Engines', lang: 'en' }), json: info },
      { ...method('artist.getsimilar', { artist: 'Ada & the Engines' }), json: similar },
    ]);
    expect(await ask('metadata', 'artist', { name: 'Ada & the Engines' })).toEqual({
      mbid: '11111111-1111-4111-8111-111111111111',
      url: 'https://www.last.fm/music/Ada+&+the+Engines',
      tags: ['steam'],
      summary: 'They began & went on.\n\nAnd on.',
      attribution: 'Last.fm. Text is available under the licence of those who wrote it.',
      similar: [
        { name: 'Charles', mbid: '66666666-6666-4666-8666-666666666666', score: 1 },
        { name: 'Mary', score: 0.5 },
      ],
    });
    expect(service.asked).toHaveLength(2);
  });

  it('knows nothing of some', async () => {
    const { ask } = await start([
      { ...method('artist.getinfo'), ...unknown },
      { ...method('artist.getsimilar'), ...unknown, status: 200 },
      { ...method('artist.gettoptracks'), ...unknown },
      { ...method('album.getinfo'), ...unknown },
      { ...method('track.getinfo'), ...unknown },
      { ...method('track.getsimilar'), ...unknown },
    ]);
    expect(await ask('metadata', 'artist', { name: 'Nobody' })).toBeUndefined();
    expect(await ask('metadata', 'topSongs', { name: 'Nobody', count: 3 })).toBeUndefined();
    expect(await ask('metadata', 'album', { name: 'Nothing', artist: 'Nobody' })).toBeUndefined();
    expect(await ask('metadata', 'song', { title: 'Nothing', artist: 'Nobody' })).toBeUndefined();
    expect(await ask('metadata', 'song', { title: 'Nothing' })).toBeUndefined();
  });

  it('returns nothing for an artist without biography', async () => {
    const bio = { summary: ' <a href="https://www.last.fm/music/x">Read more on Last.fm</a>', content: '' };
    const { ask } = await start([
      { ...method('artist.getinfo'), json: { artist: { ...info.artist, bio, tags: '' } } },
      { ...method('artist.getsimilar'), ...unknown },
    ]);
    const facts = (await ask('metadata', 'artist', { name: 'Ada' })) as Record<string, unknown>;
    expect(facts).toMatchObject({ tags: [], similar: [] });
    expect(facts['summary']).toBeUndefined();
  });

  it('tells of albums, songs and what is played most', async () => {
    const track = { name: 'Loom', mbid: '', url: 'u', match: 0.25, artist: { name: 'Charles' } };
    const { ask } = await start([
      {
        ...method('album.getinfo', { album: 'Difference', artist: 'Ada' }),
        json: {
          album: {
            name: 'Difference',
            mbid: 'm',
            url: 'https://a',
            tags: { tag: { name: 'one' } },
            wiki: { summary: 's', content: 'An album.' },
          },
        },
      },
      {
        ...method('track.getinfo', { track: 'Loom', artist: 'Ada' }),
        json: { track: { name: 'Loom', url: 'https://t', toptags: { tag: [] } } },
      },
      { ...method('track.getsimilar', { track: 'Loom' }), json: { similartracks: { track: [track] } } },
      {
        ...method('artist.gettoptracks', { artist: 'Ada', limit: '2' }),
        json: { toptracks: { track: [track, { name: 'Card', artist: { name: 'Ada' }, mbid: 'c' }] } },
      },
    ]);
    expect(await ask('metadata', 'album', { name: 'Difference', artist: 'Ada' })).toEqual({
      mbid: 'm',
      url: 'https://a',
      tags: ['one'],
      summary: 'An album.',
      attribution: 'Last.fm',
    });
    expect(await ask('metadata', 'song', { title: 'Loom', artist: 'Ada' })).toMatchObject({
      url: 'https://t',
      similar: [{ title: 'Loom', artist: 'Charles', score: 0.25 }],
    });
    expect(await ask('metadata', 'topSongs', { name: 'Ada', count: 2 })).toEqual([
      { title: 'Loom', artist: 'Charles', mbid: undefined },
      { title: 'Card', artist: 'Ada', mbid: 'c' },
    ]);
  });

  it('reports an invalid key without showing it', async () => {
    const { ask } = await start([{ path: '/', status: 403, json: { error: 10, message: 'Invalid API key' } }]);
    const fault: unknown = await ask('metadata', 'artist', { name: 'Ada' }).catch((error: unknown) => error);
    expect(String(fault)).toMatch(/error 10: Invalid API key/);
    expect(String(fault)).not.toContain('k3y');
  });
});
