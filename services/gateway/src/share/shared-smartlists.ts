import { Rejection } from '@continuo/contracts';
import { SHOWN_SONGS, songIdsByShare, type ShareRecord } from '../reads/shares.reads.js';
import type { Viewer } from '../reads/viewer.js';
import type { GatewayServices } from '../services.js';
import { smartlistRecords, type SmartlistRecord } from '../smartlists/index.js';

/** What shared smartlists are run with. */
type Sources = Pick<GatewayServices, 'db' | 'smartlists' | 'log'>;
type Shared = Pick<ShareRecord, 'id' | 'kind' | 'objectIds'>;

/** What the rules of a list give; nothing when they cannot be run now, so that one list does not close a page of shares. */
const songsOf = async ({ smartlists, log }: Sources, list: SmartlistRecord, viewer: Viewer): Promise<Int32Array> => {
  try {
    return (await smartlists.songs(list, viewer, { isContinued: true })).ids;
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    log.info({ err: error, smartlistId: list.id }, 'a shared smartlist cannot be run');
    return new Int32Array(0);
  }
};

const listed = async (sources: Sources, { objectIds }: Shared, viewer: Viewer): Promise<number[]> => {
  const songs: number[] = [];
  for (const list of await smartlistRecords(sources.db, objectIds, viewer)) {
    songs.push(...(await songsOf(sources, list, viewer)).subarray(0, SHOWN_SONGS - songs.length));
    if (songs.length >= SHOWN_SONGS) break;
  }
  return songs;
};

/** Ids of the songs of some shares, by share: what smartlists give at this moment, all others as {@link songIdsByShare} has it. */
export const songIdsOfShares = async (sources: Sources, shares: readonly Shared[], viewer: Viewer): Promise<Map<number, number[]>> => {
  const songs = await songIdsByShare(
    sources.db,
    shares.map(({ id }) => id),
    viewer,
  );
  for (const share of shares) if (share.kind === 'search') songs.set(share.id, await listed(sources, share, viewer));
  return songs;
};

/** True for a song that a shared smartlist gives; for a random one any that it could give, so that the next draw does not cut off who is listening. */
export const isInSmartlist = async (sources: Sources, share: Shared, songId: number, viewer: Viewer): Promise<boolean> => {
  if (share.kind !== 'search') return false;
  for (const list of await smartlistRecords(sources.db, share.objectIds, viewer)) {
    const whole = list.isRandom ? { ...list, isRandom: false, limit: 0 } : list;
    if ((await songsOf(sources, whole, viewer)).includes(songId)) return true;
  }
  return false;
};
