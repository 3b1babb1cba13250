import { join } from 'node:path';
import { issueApiKey } from '@continuo/contracts';
import type { Cluster } from '@continuo/failure';
import { makeNoise } from '@continuo/media-fixtures';
import { formatCount, formatDuration, type Session } from '@continuo/operations';
import { growCommunity } from '../harness/community.js';
import { loadLibrary, newCatalog, scanCatalog } from '../harness/library.js';
import type { CrowdPlan } from './crowd.js';

/** Size of a library and of its community. */
export interface Population {
  readonly songs: number;
  readonly accounts: number;
  /** Accounts that get a key. */
  readonly keys: number;
}

/** A running cluster, and the folder for files. */
export interface Surroundings {
  readonly cluster: Cluster;
  readonly session: Session;
  readonly home: string;
  readonly print: (line: string) => void;
}

const HEARD = { count: 12, seconds: 120 };
const HABITS = { ratingsEach: 20, flagsEach: 10, followsEach: 10 };
const MONTH_MS = 30 * 86_400_000;
const KEY_WITHIN_MS = 60_000;
const READY_MS = 240_000;
const SOME_ARTISTS = 2000;

/** Writes the library and the community into the logs of a cluster, and has a few long songs scanned that can be heard. */
export const populate = async (
  { cluster, session, home, print }: Surroundings,
  { songs, accounts, keys: keyCount }: Population,
): Promise<Omit<CrowdPlan, 'url' | 'listeners' | 'browsers'>> => {
  const server = { session, dataFolder: join(home, 'seeded') };
  const loaded = await loadLibrary(server, songs);
  // Written past the service that gives out the ids.
  await cluster.part('library-1').stop();
  await cluster.part('library-1').revive();
  await cluster.ready(READY_MS);
  print(`${formatCount(songs)} songs: ${formatDuration(loaded.untilReadableMs)} until all could be read`);

  const { albums } = await session.db
    .selectFrom('library.album')
    .select(({ fn }) => fn.countAll<number>().as('albums'))
    .executeTakeFirstOrThrow();
  const artists = await session.db.selectFrom('library.artist').select('id').where('album_count', '>', 0).limit(SOME_ARTISTS).execute();
  const community = await growCommunity(server, [], accounts, { ...HABITS, songs, albums, fromMs: Date.now() - MONTH_MS });
  print(`${formatCount(accounts)} accounts: ${formatDuration(community.registerMs + community.untilReadableMs)}`);

  const keys: string[] = [];
  for (const userId of community.accounts.slice(1, 1 + keyCount)) {
    const { result } = await session.commands.send(issueApiKey, { userId }, session.context(), { timeoutMs: KEY_WITHIN_MS });
    keys.push(result.key);
  }

  const folder = join(home, 'heard');
  const titles = Array.from({ length: HEARD.count }, (_, n) => `heard ${n}`);
  await makeNoise(folder, titles, HEARD.seconds);
  const catalogId = await newCatalog(session, 'Heard', folder);
  await scanCatalog(session, catalogId);
  const heard = await session.db.selectFrom('library.song').select('id').where('catalog_id', '=', catalogId).execute();
  return {
    keys,
    songs,
    albums,
    artists: artists.map(({ id }) => id),
    heard: heard.map(({ id }) => id),
    songSeconds: HEARD.seconds,
  };
};
