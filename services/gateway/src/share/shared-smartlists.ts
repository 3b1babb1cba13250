import { Rejection } from '@continuo/contracts';
import { LRUCache } from 'lru-cache';
import { SHOWN_SONGS, songIdsByShare, type ShareRecord } from '../reads/shares.reads.js';
import type { Viewer } from '../reads/viewer.js';
import type { GatewayServices } from '../services.js';
import { smartlistRecords, type SmartlistRecord } from '../smartlists/index.js';

/** What shared smartlists are run with. */
type Sources = Pick<GatewayServices, 'db' | 'smartlists' | 'log'>;
type Shared = Pick<ShareRecord, 'id' | 'kind' | 'objectIds'>;

/** What the rules of a list give; nothing when they cannot be run, so that one list does not close a page of shares. A busy server says so. */
const songsOf = async ({ smartlists, log }: Sources, list: SmartlistRecord, viewer: Viewer): Promise<Int32Array> => {
  try {
    return (await smartlists.songs(list, viewer, { isContinued: true })).ids;
  } catch (error) {
    if (!(error instanceof Rejection) || error.code === 'unavailable') throw error;
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

/** How long a song that was found is not looked for again: players ask for a song in many parts. */
const FOUND_FOR_MS = 60_000;
const FOUND_SONGS = 20_000;

/** Tells which songs belong to shared smartlists. Whether a list may be opened, and with which rules, is looked up each time. */
export class SmartlistMembers {
  private readonly found = new LRUCache<string, true>({ max: FOUND_SONGS, ttl: FOUND_FOR_MS });

  constructor(private readonly sources: Sources) {}

  /**
   * True for a song that a shared smartlist gives; for a random one any that it could give, so that the next draw does not cut off who is listening.
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
