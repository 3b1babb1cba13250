import { Rejection } from '@continuo/contracts';
import { LRUCache } from 'lru-cache';
import { SHOWN_SONGS, songIdsByShare, type ShareRecord } from './shares.reads.js';
import type { Viewer } from '../../reads/visibility/viewer.js';
import { smartlistRecords, type SmartlistRecord } from '../smartlists/index.js';
import type { HasReadModel } from '../../reads/database/database.js';
import type { HasSmartlists } from '../smartlists/running-smartlists.js';
import type { HasLog } from '../../server/needs.js';
import { atMost } from '../../server/at-most.js';

/** Services for running smartlists. */
type Sources = HasReadModel & HasSmartlists & HasLog;
type Shared = Pick<ShareRecord, 'id' | 'kind' | 'objectIds'>;

/** Songs of a smartlist; empty when it cannot be run, so that one list does not break a whole page of shares. */
const songsOf = async ({ smartlists, log }: Sources, list: SmartlistRecord, viewer: Viewer): Promise<Int32Array> => {
  try {
    return (await smartlists.songs(list, viewer, { isContinued: true })).ids;
  } catch (error) {
    if (!(error instanceof Rejection) || error.code === 'unavailable') throw error;
    log.info({ err: error, smartlistId: list.id }, 'Failed to run a shared smartlist; its songs are left out');
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

/** Song ids by share: present results for smartlists, {@link songIdsByShare} for others. */
export const songIdsOfShares = async (sources: Sources, shares: readonly Shared[], viewer: Viewer): Promise<Map<number, number[]>> => {
  const songs = await songIdsByShare(
    sources.db,
    shares.map(({ id }) => id),
    viewer,
  );
  for (const share of shares) if (share.kind === 'search') songs.set(share.id, await listed(sources, share, viewer));
  return songs;
};

/** Time that a found song is cached, ms: players request a song in many parts. */
const FOUND_FOR_MS = 60_000;
const FOUND_SONGS = 20_000;

/** Finds songs in shared smartlists. Access to the list and its rules are read each time. */
export class SmartlistMembers {
  private readonly found = new LRUCache<string, true>({ ...atMost(FOUND_SONGS), ttl: FOUND_FOR_MS });

  constructor(private readonly sources: Sources) {}

  /**
   * True for a song of the shared smartlist; for a random list any possible song, so that the next draw does not cut off a listener.
   * @throws Rejection `unavailable` when too many searches wait
   */
  async has(share: Shared, songId: number, viewer: Viewer): Promise<boolean> {
    if (share.kind !== 'search') return false;
    for (const list of await smartlistRecords(this.sources.db, share.objectIds, viewer)) {
      if (await this.isFound(list, songId, viewer)) return true;
    }
    return false;
  }

  private async isFound(list: SmartlistRecord, songId: number, viewer: Viewer): Promise<boolean> {
    const key = JSON.stringify([list.id, list.revision, songId, viewer.userId, viewer.catalogs]);
    if (this.found.get(key)) return true;
    const whole = list.isRandom ? { ...list, isRandom: false, limit: 0 } : list;
    const isFound = (await songsOf(this.sources, whole, viewer)).includes(songId);
    if (isFound) this.found.set(key, true);
    return isFound;
  }
}
