import { Rejection } from '@continuo/contracts';
import type { ArchiveOrder } from '../../media/archive-names.js';
import { sendArchive } from '../../media/send-archive.js';
import { albumsByIds } from '../../reads/albums.reads.js';
import { artistsByIds } from '../../reads/artists.reads.js';
import { songIdsByAlbum, songIdsByArtist, songsByIds } from '../../reads/songs.reads.js';
import { badValue, featureOff, notFound } from '../errors/native-fault.js';
import type { CallerCall } from '../method.js';
import { idOf } from '../params.js';
import type { NativeResult } from '../result.js';
import { openList, openSmartlist } from './reading-playlists.js';

type ArchiveCall = CallerCall<{ readonly filter: string }>;

/** The songs of a thing and its name. */
interface Held {
  readonly name: string;
  readonly ids: ArrayLike<number>;
  readonly order: ArchiveOrder;
}

const ofAlbum = async ({ params, services: { db }, viewer }: ArchiveCall): Promise<Held | undefined> => {
  const id = idOf(params.filter);
  const [album] = id === undefined ? [] : await albumsByIds(db, [id], viewer);
  if (!album) return undefined;
  return { name: album.name, ids: (await songIdsByAlbum(db, [album.id], viewer)).get(album.id) ?? [], order: 'album' };
};

const ofArtist = async ({ params, services: { db }, viewer }: ArchiveCall): Promise<Held | undefined> => {
  const id = idOf(params.filter);
  const [artist] = id === undefined ? [] : await artistsByIds(db, [id], viewer);
  if (!artist) return undefined;
  return { name: artist.name, ids: (await songIdsByArtist(db, [artist.id], viewer)).get(artist.id) ?? [], order: 'artist' };
};

const ofSong = async ({ params, services: { db }, viewer }: ArchiveCall): Promise<Held | undefined> => {
  const id = idOf(params.filter);
  const [song] = id === undefined ? [] : await songsByIds(db, [id], viewer);
  return song && { name: song.doc.title, ids: [song.doc.id], order: 'list' };
};

const ofList =
  (open: typeof openList) =>
  async (call: ArchiveCall): Promise<Held | undefined> => {
    const list = await open(call);
    const [view, songs] = await Promise.all([list.view(), list.songs()]);
    return view && { name: view.name, ids: songs.ids, order: 'list' };
  };

/** Things that can be had as archives (methods.json, `download`). */
const holders: Readonly<Record<string, (call: ArchiveCall) => Promise<Held | undefined>>> = {
  song: ofSong,
  album: ofAlbum,
  artist: ofArtist,
  playlist: ofList(openList),
  search: ofList(openSmartlist),
  smartlist: ofList(openSmartlist),
};
const waiting: Readonly<Record<string, string>> = { podcast: 'podcast', podcast_episode: 'podcast' };

/**
 * The songs of a thing as a zip archive.
 * @throws NativeRefusal 4703 where archives are switched off, 4704, 4710; Rejection `input.too-large` for more files than an archive may have
 */
export const archiveBytes = async (call: ArchiveCall, type: string): Promise<NativeResult> => {
  const { config } = call.services;
  if (!config.ZIP_DOWNLOADS) throw featureOff('zip downloads');
  if (Object.hasOwn(waiting, type)) throw featureOff(waiting[type] ?? type);
  const holder = Object.hasOwn(holders, type) ? holders[type] : undefined;
  if (!holder) throw badValue('type', type);
  const held = await holder(call);
  if (!held || held.ids.length === 0) throw notFound('filter', call.params.filter);
  if (held.ids.length > config.ZIP_MAX_FILES)
    throw new Rejection('input.too-large', `an archive holds at most ${config.ZIP_MAX_FILES} files`, 'filter');
  return {
    kind: 'bytes',
    send: async (exchange) => {
      const songs = await songsByIds(call.services.db, held.ids, call.viewer);
      return sendArchive(exchange, call.services, { name: held.name, songs, order: held.order });
    },
  };
};
