import { describe, expect, it } from 'vitest';
import { provider } from '../../../test/providers/provider.js';

const start = provider('listenbrainz', ['url', 'labsUrl'], { token: 't0ken' });
const ADA = '11111111-1111-4111-8111-111111111111';
const MARY = '22222222-2222-4222-8222-222222222222';
const LOOM = '33333333-3333-4333-8333-333333333333';

describe('ListenBrainz', () => {
  it('returns similar artists by id', async () => {
    const json = [
      { artist_mbid: MARY, name: 'Mary', comment: '', type: 'Person', gender: 'Female', score: 400, reference_mbid: ADA },
      { artist_mbid: ADA, name: 'Ada', score: 400, reference_mbid: ADA },
      { artist_mbid: LOOM, name: 'Charles', score: 100, reference_mbid: ADA },
    ];
    const { ask, service } = await start([{ path: '/similar-artists/json', query: { artist_mbids: ADA }, json }]);
    expect(await ask('metadata', 'artist', { name: 'Ada', mbid: ADA })).toEqual({
      similar: [
        { name: 'Mary', mbid: MARY, score: 1 },
        { name: 'Charles', mbid: LOOM, score: 0.25 },
      ],
    });
    expect(service.asked[0]?.query.get('algorithm')).toMatch(/^session_based_days_/);
    expect(service.asked[0]?.headers.authorization).toBeUndefined();
  });

  it('tells what is like a song and what is played of an artist', async () => {
    const { ask, service } = await start([
      {
        path: '/similar-recordings/json',
        query: { recording_mbids: LOOM },
        json: [{ recording_mbid: MARY, recording_name: 'Card', artist_credit_name: 'Mary', score: 3, reference_mbid: LOOM }],
      },
      {
        path: `/1/popularity/top-recordings-for-artist/${ADA}`,
        json: [
          { recording_mbid: LOOM, recording_name: 'Loom', artist_name: 'Ada', total_listen_count: 9, length: 1000 },
          { recording_mbid: MARY, recording_name: 'Card', artist_name: 'Ada', total_listen_count: 8 },
        ],
      },
    ]);
    expect(await ask('metadata', 'song', { title: 'Loom', mbid: LOOM })).toEqual({
      mbid: LOOM,
      similar: [{ title: 'Card', artist: 'Mary', mbid: MARY, score: 1 }],
    });
    expect(await ask('metadata', 'topSongs', { name: 'Ada', mbid: ADA, count: 1 })).toEqual([{ title: 'Loom', artist: 'Ada', mbid: LOOM }]);
    expect(service.asked[1]?.headers.authorization).toBe('Token t0ken');
  });

  it('is not asked without an id, and may return nothing', async () => {
    const { ask, service } = await start([{ path: '/similar-artists/json', json: [] }]);
    expect(await ask('metadata', 'artist', { name: 'Ada' })).toBeUndefined();
    expect(await ask('metadata', 'song', { title: 'Loom' })).toBeUndefined();
    expect(await ask('metadata', 'topSongs', { name: 'Ada', count: 3 })).toBeUndefined();
    expect(service.asked).toEqual([]);
    expect(await ask('metadata', 'artist', { name: 'Ada', mbid: ADA })).toBeUndefined();
    expect(await ask('metadata', 'topSongs', { name: 'Ada', mbid: ADA, count: 3 })).toBeUndefined();
  });
});
