import { specFor } from '@continuo/chassis/testkit';
import { albumArtFound, artistArtFound, artistInfoFound, type AlbumId, type ArtistId, type FoundArtistInfo } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { artistInfo, foundArt, foundArtId } from './external-metadata.decider.js';

const artistId = 7 as ArtistId;
const info: FoundArtistInfo = {
  mbid: null,
  summary: 'A group of three.',
  attribution: 'somewhere',
  placeFormed: null,
  yearFormed: 1998,
  url: null,
  similar: [{ name: 'Mary', mbid: null, score: 0.5 }],
  topSongs: [{ title: 'Loom', mbid: null }],
  isComplete: true,
  sources: ['wikipedia'],
};

describe('what is found', () => {
  it('about an artist is recorded when it is new', () => {
    const { given } = specFor(artistInfo);
    given([])
      .when({ type: 'record', artistId, info })
      .then([artistInfoFound({ ...info, artistId })]);
    given([artistInfoFound({ ...info, artistId })])
      .when({ type: 'record', artistId, info: { ...info } })
      .then([]);
    given([artistInfoFound({ ...info, artistId })])
      .when({ type: 'record', artistId, info: { ...info, similar: [] } })
      .then([artistInfoFound({ ...info, artistId, similar: [] })]);
  });

  it('as a picture is recorded when it is another one', () => {
    const { given } = specFor(foundArt);
    const art = { hash: 'a'.repeat(64), mime: 'image/jpeg', sizeBytes: 9 };
    const albumId = 3 as AlbumId;
    given([])
      .when({ type: 'record', of: { artistId }, art, source: 'wikipedia' })
      .then([artistArtFound({ artistId, art, source: 'wikipedia' })]);
    given([albumArtFound({ albumId, art, source: 'musicbrainz' })])
      .when({ type: 'record', of: { albumId }, art, source: 'other' })
      .then([]);
    expect([foundArtId({ artistId }), foundArtId({ albumId })]).toEqual(['artist-7', 'album-3']);
  });
});
