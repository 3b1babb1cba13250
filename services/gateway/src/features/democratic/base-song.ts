import { Rejection } from '@continuo/contracts';
import { SERVER_USER } from '../../preferences/index.js';
import { playlistSongIds } from '../../reads/playlists/playlist-songs.reads.js';
import { playlistRecord } from '../../reads/playlists/playlists.reads.js';
import { randomSong } from '../../reads/songs/random-song.reads.js';
import type { Viewer } from '../../reads/visibility/viewer.js';
import { prefixedSmartlistId, smartlistRecord } from '../smartlists/index.js';
import type { HasReadModel } from '../../reads/database/database.js';
import type { HasSmartlists } from '../smartlists/running-smartlists.js';
import type { HasPreferences } from '../../preferences/preferences.js';
import type { HasLog } from '../../server/needs.js';

/** Services for choosing a song without votes. */
export type BaseSources = HasReadModel & HasSmartlists & HasPreferences & HasLog;

const NOTHING = new Int32Array(0);

const ofSmartlist = async ({ db, smartlists, log }: BaseSources, id: number, viewer: Viewer): Promise<Int32Array> => {
  const list = await smartlistRecord(db, id);
  if (!list) return NOTHING;
  try {
    return (await smartlists.songs(list, viewer, { isContinued: true })).ids;
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    log.warn({ err: error, smartlistId: id }, 'Failed to run the base smartlist of democratic play; it counts as empty');
    return NOTHING;
  }
};

const ofPlaylist = async ({ db }: BaseSources, id: number, viewer: Viewer): Promise<Int32Array> => {
  const list = await playlistRecord(db, id);
  return list ? (await playlistSongIds(db, list, viewer)).ids : NOTHING;
};

/** Songs of the base playlist that the viewer may see; empty without a base playlist. */
const baseSongs = async (sources: BaseSources, viewer: Viewer): Promise<Int32Array> => {
  const text = (await sources.preferences.current()).of(SERVER_USER, 'demo_base_playlist').trim();
  const smartlist = prefixedSmartlistId(text);
  if (smartlist !== undefined) return ofSmartlist(sources, smartlist, viewer);
  return /^[1-9]\d{0,8}$/.test(text) ? ofPlaylist(sources, Number(text), viewer) : NOTHING;
};

/** Random song of the base playlist (preference `demo_base_playlist`), else of all songs. */
export const baseSong = async (sources: BaseSources, viewer: Viewer): Promise<number | undefined> => {
  const songs = await baseSongs(sources, viewer);
  return songs.length === 0 ? randomSong(sources.db, viewer) : songs[Math.floor(Math.random() * songs.length)];
};
