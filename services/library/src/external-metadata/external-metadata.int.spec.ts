import { recordArtistInfo, recordFoundArt } from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunningLibrary } from '../../test/running-library.js';

let library: RunningLibrary;
beforeAll(async () => {
  library = await RunningLibrary.start();
});
afterAll(() => library.stop());

const info = (artistId: number, summary: string) => ({
  artistId,
  mbid: '11111111-1111-4111-8111-111111111111',
  summary,
  attribution: 'somewhere',
  placeFormed: 'Bristol',
  yearFormed: 1998,
  url: 'https://a.example/',
  similar: [{ name: 'Mary', mbid: null, score: 0.5 }],
  topSongs: [{ title: 'Loom', mbid: null }],
  isComplete: true,
  sources: ['wikipedia'],
});

describe('what plug-ins find', () => {
  it('about artists is shown as they said it last, also after a rebuild', async () => {
    await library.send(recordArtistInfo, info(70, 'first'));
    await library.send(recordArtistInfo, info(70, 'second'));
    const rows = await library.rows(sql<Record<string, unknown>>`select * from library.artist_info`);
    expect(rows).toEqual([
      {
        artist_id: 70,
        mbid: '11111111-1111-4111-8111-111111111111',
        summary: 'second',
        attribution: 'somewhere',
        place_formed: 'Bristol',
        year_formed: 1998,
        url: 'https://a.example/',
        similar: '[{"name":"Mary","mbid":null}]',
        top_songs: '[{"title":"Loom","mbid":null}]',
        found_at_ms: expect.any(Number),
        is_complete: true,
      },
    ]);
    await library.verifyRebuild();
  });

  it('as pictures is one for each thing', async () => {
    const art = (digit: string) => ({ hash: digit.repeat(64), mime: 'image/png', sizeBytes: 5 });
    await library.send(recordFoundArt, { of: { albumId: 5 }, art: art('a'), source: 'one' });
    await library.send(recordFoundArt, { of: { artistId: 5 }, art: art('b'), source: 'one' });
    await library.send(recordFoundArt, { of: { albumId: 5 }, art: art('c'), source: 'two' });
    const rows = await library.rows(
      sql<Record<string, unknown>>`select kind, object_id, art_hash, source from library.found_art order by kind`,
    );
    expect(rows).toEqual([
      { kind: 'album', object_id: 5, art_hash: 'c'.repeat(64), source: 'two' },
      { kind: 'artist', object_id: 5, art_hash: 'b'.repeat(64), source: 'one' },
    ]);
  });
});
