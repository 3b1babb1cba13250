import {
  albumContents,
  archiveContents,
  artistContents,
  episodeArchive,
  type HeldSongs,
} from '../../../../features/media/archive-contents.js';
import { sendArchive, type WantedArchive } from '../../../../features/media/send-archive.js';
import { songsByIds } from '../../../../reads/songs/songs.reads.js';
import type { ReadDatabase, HasReadModel } from '../../../../reads/database/database.js';
import type { Viewer } from '../../../../reads/visibility/viewer.js';
import { badValue, featureOff, notFound, oneOf } from '../../errors/native-fault.js';
import type { CallerCall } from '../../method.js';
import type { Named } from '../../named-object.js';
import { idOf } from '../../params.js';
import type { NativeResult } from '../../result.js';
import { openList, openSmartlist } from './reading-playlists.js';
import type { HasConfig, HasMediaStore, HasArchiveSlots, HasLog, HasCommands } from '../../../../server/needs.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';
import type { HasSmartlists } from '../../../../features/smartlists/running-smartlists.js';
import { requireKind } from '../../require-kind.js';

type Services = HasConfig &
  HasReadModel &
  HasMediaStore &
  HasArchiveSlots &
  HasLists &
  HasPreferences &
  HasCommands &
  HasLog &
  HasSmartlists;

type ArchiveCall = CallerCall<Named, Services>;
type Holder = (call: ArchiveCall) => Promise<HeldSongs | undefined>;

const songContents = async (db: ReadDatabase, id: number, viewer: Viewer): Promise<HeldSongs | undefined> => {
  const [song] = await songsByIds(db, [id], viewer);
  return song && { name: song.doc.title, ids: [id], order: 'list' };
};

const byId =
  (read: typeof songContents): Holder =>
  async ({ params, services: { db }, viewer }) => {
    const id = idOf(params.filter);
    return id === undefined ? undefined : read(db, id, viewer);
  };

const byList =
  (open: typeof openList): Holder =>
  async (call) => {
    const list = await open(call);
    const [view, songs] = await Promise.all([list.view(), list.songs()]);
    return view && { name: view.name, ids: songs.ids, order: 'list' };
  };

/** Object types that can be downloaded as archives. */
const holders: Readonly<Record<string, Holder>> = {
  song: byId(songContents),
  album: byId(albumContents),
  artist: byId(artistContents),
  playlist: byList(openList),
  search: byList(openSmartlist),
  smartlist: byList(openSmartlist),
};
/** Conditions for the episodes of an archive. */
const episodesOf = { podcast: (podcastId: number) => ({ podcastId }), podcast_episode: (episodeId: number) => ({ episodeId }) } as const;
const isOfEpisodes = (type: string): type is keyof typeof episodesOf => Object.hasOwn(episodesOf, type);

const wantedEpisodes = async (call: ArchiveCall, type: keyof typeof episodesOf): Promise<WantedArchive | undefined> => {
  requireKind(call, 'podcast');
  const id = idOf(call.params.filter);
  return id === undefined ? undefined : episodeArchive(call.services, episodesOf[type](id), call.viewer);
};

const wantedSongs = async (call: ArchiveCall, type: string): Promise<WantedArchive | undefined> => {
  const holder = Object.hasOwn(holders, type) ? holders[type] : undefined;
  if (!holder) throw badValue('type', type, oneOf([...Object.keys(holders), ...Object.keys(episodesOf)]));
  const held = await holder(call);
  return held && held.ids.length > 0 ? archiveContents(call.services, held, call.viewer) : undefined;
};

/**
 * Zip archive of an object's songs, or of a podcast's kept files.
 * @throws NativeRefusal 4703 when archives are off, 4704, 4710; Rejection `input.too-large` for too many files
 */
export const archiveBytes = async (call: ArchiveCall, type: string): Promise<NativeResult> => {
  const { services, params } = call;
  if (!services.config.ZIP_DOWNLOADS) throw featureOff('zip downloads');
  const wanted = await (isOfEpisodes(type) ? wantedEpisodes(call, type) : wantedSongs(call, type));
  if (!wanted) throw notFound('filter', params.filter);
  return { kind: 'bytes', send: (exchange) => sendArchive(exchange, services, wanted) };
};
