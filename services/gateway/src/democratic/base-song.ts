import { Rejection } from '@continuo/contracts';
import { SERVER_USER } from '../preferences/index.js';
import { playlistSongIds } from '../reads/playlist-songs.reads.js';
import { playlistRecord } from '../reads/playlists.reads.js';
import { randomSong } from '../reads/random-song.reads.js';
import type { Viewer } from '../reads/viewer.js';
import type { GatewayServices } from '../services.js';
import { prefixedSmartlistId, smartlistRecord } from '../smartlists/index.js';

/** What songs that nobody votes for are chosen with. */
export type BaseSources = Pick<GatewayServices, 'db' | 'smartlists' | 'preferences' | 'log'>;

const NOTHING = new Int32Array(0);

const ofSmartlist = async ({ db, smartlists, log }: BaseSources, id: number, viewer: Viewer): Promise<Int32Array> => {
  const list = await smartlistRecord(db, id);
  if (!list) return NOTHING;
  try {
    return (await smartlists.songs(list, viewer, { isContinued: true })).ids;
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    log.warn({ err: error, smartlistId: id }, 'the smartlist that plays when nobody votes cannot be run');
    return NOTHING;
  }
};

const ofPlaylist = async ({ db }: BaseSources, id: number, viewer: Viewer): Promise<Int32Array> => {
  const list = await playlistRecord(db, id);
  return list ? (await playlistSongIds(db, list, viewer)).ids : NOTHING;
};

/** The songs of the list that administrators have chosen, whosever it is, as far as the viewer may see them; none when there is no such list. */
const baseSongs = async (sources: BaseSources, viewer: Viewer): Promise<Int32Array> => {
  const text = (await sources.preferences.current()).of(SERVER_USER, 'demo_base_playlist').trim();
  const smartlist = prefixedSmartlistId(text);
  if (smartlist !== undefined) return ofSmartlist(sources, smartlist, viewer);
  return /^[1-9]\d{0,8}$/.test(text) ? ofPlaylist(sources, Number(text), viewer) : NOTHING;
};

/** A song for when nobody votes: a random one of the list that administrators have chosen (preference `demo_base_playlist`), else of all. */
export const baseSong = async (sources: BaseSources, viewer: Viewer): Promise<number | undefined> => {
  const songs = await baseSongs(sources, viewer);
  return songs.length === 0 ? randomSong(sources.db, viewer) : songs[Math.floor(Math.random() * songs.length)];
};
