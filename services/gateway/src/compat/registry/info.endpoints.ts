import { Rejection } from '@continuo/contracts';
import { albumsByIds } from '../../reads/albums.reads.js';
import { artistsByIds, type ArtistView } from '../../reads/artists.reads.js';
import { similarArtistIds } from '../../reads/similar.reads.js';
import { songsByIds } from '../../reads/songs.reads.js';
import { objectBody } from '../documents.js';
import { CompatError } from '../errors.js';
import { albumInfo, artistInfo, artistInfo2, type AlbumInfo, type ArtistInfo } from '../objects/info.object.js';
import { anyId, count, flag } from '../parameters.js';
import { anybody, document, type Call } from './endpoint.js';
import type { CompatId } from '../ids.js';

interface InfoParams {
  readonly id: CompatId;
}

const artistParams = { id: anyId('artist'), count: count(20, 500), includeNotPresent: flag(false) };
const albumParams = { id: anyId('album') };

interface ArtistInfoParams extends InfoParams {
  readonly count: number;
}

/** The artist of an id, also the one behind an album or a song. @throws Rejection `artist.not-found` */
const artistBehind = async ({ params: { id }, services: { db }, viewer }: Call<InfoParams>): Promise<ArtistView> => {
  let artistId = id.kind === 'artist' ? id.id : undefined;
  if (id.kind === 'album') artistId = (await albumsByIds(db, [id.id], viewer))[0]?.doc.artists[0]?.id;
  if (id.kind === 'song') artistId = (await songsByIds(db, [id.id], viewer))[0]?.doc.artists[0]?.id;
  const [artist] = artistId === undefined ? [] : await artistsByIds(db, [artistId], viewer);
  if (!artist) throw new Rejection('artist.not-found');
  return artist;
};

/** What the library itself knows; nobody outside is asked, so that artists which it does not have are never among the similar ones. */
const artistInfoOf = async (call: Call<ArtistInfoParams>): Promise<ArtistInfo> => {
  const { db } = call.services;
  const artist = await artistBehind(call);
  const alike = call.params.count === 0 ? [] : await similarArtistIds(db, artist.id, call.viewer, call.params.count);
  return { mbid: artist.mbid ?? undefined, similar: await artistsByIds(db, alike ?? [], call.viewer) };
};

const albumMbid = async ({ params: { id }, services: { db }, viewer }: Call<InfoParams>): Promise<string | undefined> => {
  if (id.kind !== 'album' && id.kind !== 'song') throw new CompatError(70, 'There is no album with this id');
  const albumId = id.kind === 'album' ? id.id : (await songsByIds(db, [id.id], viewer))[0]?.doc.album.id;
  const [album] = albumId === undefined ? [] : await albumsByIds(db, [albumId], viewer);
  if (!album) throw new Rejection('album.not-found');
  return album.mbid ?? undefined;
};

const albumInfoOf = async (call: Call<InfoParams>): Promise<AlbumInfo> => ({ mbid: await albumMbid(call) });

/** What is known about artists and albums beside their songs. */
export const infoEndpoints = {
  getArtistInfo: document({
    access: anybody,
    params: artistParams,
    body: objectBody('artistInfo', artistInfo),
    answer: artistInfoOf,
  }),
  getArtistInfo2: document({
    access: anybody,
    params: artistParams,
    body: objectBody('artistInfo2', artistInfo2),
    answer: artistInfoOf,
  }),
  getAlbumInfo: document({
    access: anybody,
    params: albumParams,
    body: objectBody('albumInfo', albumInfo),
    answer: albumInfoOf,
  }),
  getAlbumInfo2: document({
    access: anybody,
    params: albumParams,
    body: objectBody('albumInfo', albumInfo),
    answer: albumInfoOf,
  }),
} as const;
