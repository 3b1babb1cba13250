import { Rejection } from '@continuo/contracts';
import { artistsLikeKnown } from '../../facts/alike.js';
import { factsAbout, knownOfArtist } from '../../facts/artist-facts.js';
import { albumsByIds, type AlbumView } from '../../reads/albums.reads.js';
import { artistsByIds, type ArtistView } from '../../reads/artists.reads.js';
import { namesOfAbsent } from '../../reads/found-facts.reads.js';
import { songsByIds } from '../../reads/songs.reads.js';
import { objectBody } from '../documents.js';
import { CompatError } from '../errors.js';
import { absentArtist } from '../objects/artist.object.js';
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
  readonly includeNotPresent: boolean;
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

/** A page of Last.fm; the protocol has no place for others. */
const onLastFm = (url: string | null | undefined): string | undefined =>
  url && /^https?:\/\/(?:[a-z]+\.)?last\.fm\//.test(url) ? url : undefined;

/** A text with whatever its licence asks to be said. */
const attributed = (text: string | null | undefined, attribution: string | null | undefined): string | undefined => {
  if (!text) return undefined;
  return attribution ? `${text}\n\n(${attribution})` : text;
};

/** What the library and plug-ins know. Artists that the library does not have are among the similar ones only where they are asked for, and then last. */
const artistInfoOf = async (call: Call<ArtistInfoParams>): Promise<ArtistInfo> => {
  const { services, viewer, params } = call;
  const artist = await artistBehind(call);
  const known = await knownOfArtist(call, artist.id);
  const alike = await artistsLikeKnown(call, { id: artist.id, viewer, limit: params.count }, known);
  const room = params.includeNotPresent ? params.count - (alike?.length ?? 0) : 0;
  const names = room > 0 && known ? await namesOfAbsent(services.db, known.similar, viewer) : [];
  const absent = names.slice(0, Math.max(0, room)).map(absentArtist);
  return {
    mbid: artist.mbid ?? known?.mbid ?? undefined,
    text: attributed(known?.summary, known?.attribution),
    lastFmUrl: onLastFm(known?.url),
    similar: [...(await artistsByIds(services.db, alike ?? [], viewer)), ...absent],
  };
};

/** The album of an id, also the one behind a song. @throws Rejection `album.not-found` */
const albumBehind = async ({ params: { id }, services: { db }, viewer }: Call<InfoParams>): Promise<AlbumView> => {
  if (id.kind !== 'album' && id.kind !== 'song') throw new CompatError(70, 'There is no album with this id');
  const albumId = id.kind === 'album' ? id.id : (await songsByIds(db, [id.id], viewer))[0]?.doc.album.id;
  const [album] = albumId === undefined ? [] : await albumsByIds(db, [albumId], viewer);
  if (!album) throw new Rejection('album.not-found');
  return album;
};

/** What the library and plug-ins know. */
const albumInfoOf = async (call: Call<InfoParams>): Promise<AlbumInfo> => {
  const album = await albumBehind(call);
  const answers = (await factsAbout(call, 'album', album.id)).map(({ facts }) => facts);
  const said = (name: string): string | undefined => answers.map((facts) => facts[name]).find((fact) => typeof fact === 'string');
  const written = answers.find((facts) => typeof facts['summary'] === 'string');
  const attribution = written?.['attribution'];
  return {
    mbid: album.mbid ?? said('mbid'),
    text: attributed(said('summary'), typeof attribution === 'string' ? attribution : undefined),
    lastFmUrl: answers
      .map((facts) => onLastFm(typeof facts['url'] === 'string' ? facts['url'] : undefined))
      .find((url) => url !== undefined),
  };
};

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
