import { Rejection } from '@continuo/contracts';
import { similarArtistsOf } from '../../../../features/external-metadata/similar.js';
import { pluginMetadataOf, fetchArtistInfo } from '../../../../features/external-metadata/external-metadata.js';
import { albumsByIds, type AlbumView } from '../../../../reads/library/albums.reads.js';
import { countedArtists } from '../../../../reads/library/artist-albums.reads.js';
import { artistsByIds, type ArtistView } from '../../../../reads/library/artists.reads.js';
import { namesOfAbsent } from '../../../../reads/library/external-metadata.reads.js';
import { songsByIds } from '../../../../reads/songs/songs.reads.js';
import { objectBody } from '../../documents.js';
import { CompatError } from '../../errors.js';
import { absentArtist } from '../../objects/artist.object.js';
import { albumInfo, artistInfo, artistInfo2, type AlbumInfo, type ArtistInfo } from '../../objects/info.object.js';
import { anyId, count, flag, idOf } from '../../parameters.js';
import { endpointsUsing, anybody, type Call, type Parsed } from '../endpoint.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasCommands, HasConfig, HasClock } from '../../../../server/needs.js';
import type { HasPlugins } from '../../../../features/external-metadata/plugin-directory.js';

type Services = HasCommands & HasReadModel & HasConfig & HasPlugins & HasClock;
const { document } = endpointsUsing<Services>();

const artistParams = { id: anyId('artist'), count: count(20, 500), includeNotPresent: flag(false) };
const albumParams = { id: anyId('album') };
type InfoParams = Parsed<typeof albumParams>;

/** Artist of an artist, album or song id. @throws Rejection `artist.not-found` */
const artistBehind = async ({ params: { id }, services: { db }, viewer }: Call<InfoParams, Services>): Promise<ArtistView> => {
  let artistId = id.kind === 'artist' ? id.id : undefined;
  if (id.kind === 'album') artistId = (await albumsByIds(db, [id.id], viewer))[0]?.doc.artists[0]?.id;
  if (id.kind === 'song') artistId = (await songsByIds(db, [id.id], viewer))[0]?.doc.artists[0]?.id;
  const [artist] = artistId === undefined ? [] : await artistsByIds(db, [artistId], viewer);
  if (!artist) throw new Rejection('artist.not-found');
  return artist;
};

/** Address of a Last.fm page; undefined for other sites. */
const onLastFm = (url: string | null | undefined): string | undefined =>
  url && /^https?:\/\/(?:[a-z]+\.)?last\.fm\//.test(url) ? url : undefined;

/** Text with the attribution that its licence requires. */
const attributed = (text: string | null | undefined, attribution: string | null | undefined): string | undefined => {
  if (!text) return undefined;
  return attribution ? `${text}\n\n(${attribution})` : text;
};

/** Metadata of the library and plug-ins. Similar artists that are not in the library come last, and only if requested. */
const artistInfoOf = async (call: Call<Parsed<typeof artistParams>, Services>): Promise<ArtistInfo> => {
  const { services, viewer, params } = call;
  const artist = await artistBehind(call);
  const known = await fetchArtistInfo(call, artist.id);
  const alike = await similarArtistsOf(call, { id: artist.id, viewer, limit: params.count }, known);
  const room = params.includeNotPresent ? params.count - (alike?.length ?? 0) : 0;
  const names = room > 0 && known ? await namesOfAbsent(services.db, known.similar, viewer) : [];
  const absent = names.slice(0, Math.max(0, room)).map(absentArtist);
  return {
    mbid: artist.mbid ?? known?.mbid ?? undefined,
    text: attributed(known?.summary, known?.attribution),
    lastFmUrl: onLastFm(known?.url),
    similar: [...(await countedArtists(services.db, alike ?? [], viewer)), ...absent],
  };
};

/** Album of an album or song id. @throws Rejection `album.not-found` */
const albumBehind = async ({ params: { id }, services: { db }, viewer }: Call<InfoParams, Services>): Promise<AlbumView> => {
  if (id.kind !== 'album' && id.kind !== 'song') throw new CompatError(70, 'There is no album with this id');
  const albumId = id.kind === 'album' ? id.id : (await songsByIds(db, [id.id], viewer))[0]?.doc.album.id;
  const [album] = albumId === undefined ? [] : await albumsByIds(db, [albumId], viewer);
  if (!album) throw new Rejection('album.not-found');
  return album;
};

/** Metadata of the library and plug-ins. */
const albumInfoOf = async (call: Call<InfoParams, Services>): Promise<AlbumInfo> => {
  const album = await albumBehind(call);
  const answers = (await pluginMetadataOf(call, 'album', album.id)).map(({ facts }) => facts);
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

/** Operations about external metadata of artists and albums. */
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
    params: { id: idOf('album') },
    body: objectBody('albumInfo', albumInfo),
    answer: (call) => albumInfoOf({ ...call, params: { id: { kind: 'album', id: call.params.id } } }),
  }),
} as const;
