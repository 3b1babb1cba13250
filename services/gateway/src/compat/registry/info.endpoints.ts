import { Rejection } from '@continuo/contracts';
import { albumsByIds } from '../../reads/albums.reads.js';
import { artistsByIds } from '../../reads/artists.reads.js';
import { songsByIds } from '../../reads/songs.reads.js';
import { objectBody } from '../documents.js';
import { CompatError } from '../errors.js';
import { albumInfo, artistInfo, artistInfo2 } from '../objects/info.object.js';
import { anyId, count, flag } from '../parameters.js';
import { anybody, document, type Call } from './endpoint.js';
import type { CompatId } from '../ids.js';

interface InfoParams {
  readonly id: CompatId;
}

const artistParams = { id: anyId('artist'), count: count(20, 500), includeNotPresent: flag(false) };
const albumParams = { id: anyId('album') };

/** The MusicBrainz id of an artist, also of the one behind an album or a song. Nothing else is known from outside yet. */
const artistMbid = async ({ params: { id }, services: { db }, viewer }: Call<InfoParams>): Promise<string | undefined> => {
  let artistId = id.kind === 'artist' ? id.id : undefined;
  if (id.kind === 'album') artistId = (await albumsByIds(db, [id.id], viewer))[0]?.doc.artists[0]?.id;
  if (id.kind === 'song') artistId = (await songsByIds(db, [id.id], viewer))[0]?.doc.artists[0]?.id;
  const [artist] = artistId === undefined ? [] : await artistsByIds(db, [artistId], viewer);
  if (!artist) throw new Rejection('artist.not-found');
  return artist.mbid ?? undefined;
};

const albumMbid = async ({ params: { id }, services: { db }, viewer }: Call<InfoParams>): Promise<string | undefined> => {
  if (id.kind !== 'album' && id.kind !== 'song') throw new CompatError(70, 'There is no album with this id');
  const albumId = id.kind === 'album' ? id.id : (await songsByIds(db, [id.id], viewer))[0]?.doc.album.id;
  const [album] = albumId === undefined ? [] : await albumsByIds(db, [albumId], viewer);
  if (!album) throw new Rejection('album.not-found');
  return album.mbid ?? undefined;
};

const info = async (mbid: Promise<string | undefined>) => ({ mbid: await mbid });

/** What is known about artists and albums from outside the library. */
export const infoEndpoints = {
  getArtistInfo: document({
    access: anybody,
    params: artistParams,
    body: objectBody('artistInfo', artistInfo),
    answer: (call) => info(artistMbid(call)),
  }),
  getArtistInfo2: document({
    access: anybody,
    params: artistParams,
    body: objectBody('artistInfo2', artistInfo2),
    answer: (call) => info(artistMbid(call)),
  }),
  getAlbumInfo: document({
    access: anybody,
    params: albumParams,
    body: objectBody('albumInfo', albumInfo),
    answer: (call) => info(albumMbid(call)),
  }),
  getAlbumInfo2: document({
    access: anybody,
    params: albumParams,
    body: objectBody('albumInfo', albumInfo),
    answer: (call) => info(albumMbid(call)),
  }),
} as const;
