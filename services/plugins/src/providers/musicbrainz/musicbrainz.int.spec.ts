import { describe, expect, it } from 'vitest';
import { provider } from '../../../test/providers/provider.js';

const start = provider('musicbrainz', ['url', 'artUrl']);

const ENGINES = '11111111-1111-4111-8111-111111111111';
const RELEASE = '22222222-2222-4222-8222-222222222222';
const GROUP = '33333333-3333-4333-8333-333333333333';
const RECORDING = '44444444-4444-4444-8444-444444444444';
const LABEL = '55555555-5555-4555-8555-555555555555';

const artist = {
  id: ENGINES,
  type: 'Group',
  name: 'Ada & the Engines',
  'sort-name': 'Ada & the Engines',
  country: 'GB',
  area: { id: 'a', name: 'United Kingdom' },
  'begin-area': { id: 'b', name: 'Bristol' },
  'life-span': { begin: '1998-04', end: null, ended: false },
  disambiguation: 'steam pop',
  tags: [
    { name: 'pop', count: 1 },
    { name: 'steam', count: 7 },
  ],
  relations: [],
};
const release = {
  id: RELEASE,
  title: 'Difference',
  date: '2001-02-03',
  barcode: '0123456789012',
  'label-info': [{ 'catalog-number': 'DIF 1', label: { id: LABEL, name: 'Punched Cards' } }],
  'release-group': { id: GROUP, 'primary-type': 'Album', 'first-release-date': '2001-01' },
  tags: [],
};
const covers = {
  release: `https://musicbrainz.org/release/${RELEASE}`,
  images: [
    {
      image: 'http://coverartarchive.org/release/x/2.jpg',
      types: ['Back'],
      front: false,
      approved: true,
      thumbnails: { small: 'http://a/2s.jpg' },
    },
    { image: 'http://coverartarchive.org/release/x/3.jpg', types: ['Front'], front: true, approved: false },
    {
      image: 'http://coverartarchive.org/release/x/1.jpg',
      types: ['Front'],
      front: true,
      approved: true,
      thumbnails: { 250: 'http://a/1-250.jpg', 1200: 'http://a/1-1200.jpg' },
    },
  ],
};
const found = (score: number, name: string, id: string = ENGINES) => ({ id, score, name, aliases: [{ name: 'Ada and The Engines' }] });

describe('MusicBrainz', () => {
  it('tells of artists by id, and says who asks', async () => {
    const { ask, service } = await start([{ path: `/ws/2/artist/${ENGINES}`, json: artist }]);
    expect(await ask('metadata', 'artist', { name: 'whatever', mbid: ENGINES })).toEqual({
      mbid: ENGINES,
      placeFormed: 'Bristol',
      yearFormed: 1998,
      url: `https://musicbrainz.org/artist/${ENGINES}`,
      tags: ['steam', 'pop'],
    });
    expect(service.asked[0]?.headers['user-agent']).toMatch(/^continuo\//);
    expect(service.asked[0]?.query.get('fmt')).toBe('json');
  });

  it('tells of artists by name, when there is only one of it', async () => {
    const search = { path: '/ws/2/artist', query: { query: String.raw`artist:"Ada \"the\" Engine"` } };
    const { ask } = await start([
      { ...search, json: { artists: [found(100, 'Ada The Engine'), found(80, 'Ada the Engine', 'x')] } },
      { path: `/ws/2/artist/${ENGINES}`, json: artist },
    ]);
    expect(await ask('metadata', 'artist', { name: 'Ada "the" Engine' })).toMatchObject({ mbid: ENGINES });
  });

  it.each([
    ['of another name', [found(100, 'Adam and the Engineers')].map((one) => ({ ...one, aliases: [] }))],
    ['of which there are two', [found(100, 'Ada & the Engines'), found(100, 'Ada & the Engines', 'other')]],
    ['that hardly fits', [found(60, 'Ada & the Engines')]],
    ['of nothing', []],
  ])('tells nothing of an artist %s', async (_, artists) => {
    const { ask } = await start([
      { path: '/ws/2/artist', json: { artists } },
      { path: `/ws/2/artist/${ENGINES}`, json: artist },
    ]);
    expect(await ask('metadata', 'artist', { name: 'Ada & the Engines' })).toBeUndefined();
  });

  it('tells of albums by id, by group and by name', async () => {
    const { ask } = await start([
      { path: `/ws/2/release/${RELEASE}`, json: release },
      { path: '/ws/2/release', query: { query: `rgid:"${GROUP}"` }, json: { releases: [{ id: RELEASE, score: 100, title: 'Different' }] } },
      {
        path: '/ws/2/release',
        query: { query: 'release:"Difference" AND artist:"Ada & the Engines"' },
        json: {
          releases: [
            { id: 'x', score: 95, title: 'Differences' },
            { id: RELEASE, score: 92, title: 'The Difference' },
          ],
        },
      },
    ]);
    const facts = {
      mbid: RELEASE,
      mbidGroup: GROUP,
      url: `https://musicbrainz.org/release/${RELEASE}`,
      barcode: '0123456789012',
      catalogNumber: 'DIF 1',
      label: 'Punched Cards',
      releaseType: 'Album',
      releaseDate: '2001-02-03',
      originalDate: '2001-01',
      tags: [],
    };
    expect(await ask('metadata', 'album', { name: 'Difference', mbid: RELEASE })).toEqual(facts);
    expect(await ask('metadata', 'album', { name: 'Difference', mbidGroup: GROUP })).toEqual(facts);
    expect(await ask('metadata', 'album', { name: 'Difference', artist: 'Ada & the Engines' })).toEqual(facts);
    expect(await ask('metadata', 'album', { name: 'Difference' })).toBeUndefined();
  });

  it('tells of songs and labels', async () => {
    const { ask } = await start([
      {
        path: '/ws/2/recording',
        query: { query: 'recording:"Loom" AND artist:"Ada"' },
        json: { recordings: [{ id: RECORDING, score: 100, title: 'Loom' }] },
      },
      { path: `/ws/2/recording/${RECORDING}`, json: { id: RECORDING, title: 'Loom', isrcs: ['GBAAA0100001'], tags: [{ name: 'slow' }] } },
      { path: '/ws/2/label', json: { labels: [{ id: LABEL, score: 100, name: 'Punched Cards' }] } },
      { path: `/ws/2/label/${LABEL}`, json: { id: LABEL, name: 'Punched Cards', country: 'GB', 'life-span': { begin: '1801' } } },
    ]);
    expect(await ask('metadata', 'song', { title: 'Loom', artist: 'Ada' })).toEqual({
      mbid: RECORDING,
      url: `https://musicbrainz.org/recording/${RECORDING}`,
      isrc: ['GBAAA0100001'],
      tags: ['slow'],
    });
    expect(await ask('metadata', 'label', { name: 'Punched Cards' })).toEqual({
      mbid: LABEL,
      url: `https://musicbrainz.org/label/${LABEL}`,
      country: 'GB',
      yearFormed: 1801,
    });
  });

  it('finds covers, the front first and in a size that can be sent', async () => {
    const { ask } = await start([{ path: `/release-group/${GROUP}`, json: covers }]);
    expect(await ask('art', 'album', { name: 'Difference', mbid: RELEASE, mbidGroup: GROUP })).toEqual([
      { url: 'http://a/1-1200.jpg', kind: 'front' },
      { url: 'http://coverartarchive.org/release/x/2.jpg', kind: 'back' },
    ]);
    expect(await ask('art', 'album', { name: 'Other', mbid: 'none' })).toBeUndefined();
  });

  it('is rate limited, and asked once for cached answers', async () => {
    const { ask, service } = await start([{ path: `/ws/2/artist/${ENGINES}`, json: artist }]);
    const startedAtMs = performance.now();
    await Promise.all([1, 2, 3].map(() => ask('metadata', 'artist', { name: 'a', mbid: ENGINES })));
    await ask('metadata', 'artist', { name: 'a', mbid: ENGINES });
    expect(service.asked).toHaveLength(1);
    await Promise.all(['x', 'y'].map((mbid) => ask('metadata', 'artist', { name: 'a', mbid })));
    expect(service.asked).toHaveLength(3);
    expect(performance.now() - startedAtMs).toBeGreaterThan(2000);
  });

  it('fails when it is unavailable', async () => {
    const { ask } = await start([{ path: `/ws/2/artist/${ENGINES}`, status: 503, text: 'busy' }]);
    await expect(ask('metadata', 'artist', { name: 'a', mbid: ENGINES })).rejects.toThrow('musicbrainz: the service answered 503');
  });
});
