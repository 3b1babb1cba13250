import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { addCatalog } from '@continuo/contracts';
import { settled } from '../checks/library-checks.js';
import { underKills } from '../killing/under-kills.js';
import type { RowOptions, RowReport } from '../rows/row.js';
import { DownloadChain } from './download-chain.js';
import { checkDownloads, PODCASTS } from './download-checks.js';
import { EpisodeServer, makeShows, PUBLISHER } from './episode-server.js';

/** Long enough for files to come between two kills, on a machine that has other things to do. */
const MAX_GAP_MS = 6000;
/** In the short form: each kill comes while files are on their way, which take two seconds each. */
const SHORT_GAP_MS = 1500;

/**
 * Downloads of episodes while workers, library, NATS and Postgres are killed. Afterwards every file is here once, bit for bit, nothing half fetched is left over, and what had
 * arrived before a kill was not fetched again.
 */
export const killDownloads = (options: RowOptions): Promise<RowReport> => {
  const { home, isShort } = options;
  const [files, seconds] = isShort ? [4, 40] : [8, 60];
  return underKills(options, {
    row: 'kill-downloads',
    cluster: {
      services: ['library-1', 'social', 'ingestion', 'ingestion-2'],
      settings: { OUTBOUND_ALLOWED_NETWORKS: PUBLISHER, PODCAST_SYNC_MINUTES: '0' },
    },
    victims: ['ingestion', 'ingestion-2', 'library-1', 'nats', 'postgres', 'everything'],
    maxGapMs: isShort ? SHORT_GAP_MS : MAX_GAP_MS,
    begin: async (cluster, client) => {
      const shows = await makeShows(join(home, 'shows'), files, seconds);
      const publisher = await EpisodeServer.start(shows);
      const folder = join(home, 'talks');
      await mkdir(folder);
      const { catalogId } = await client.send(addCatalog, { name: 'talks', path: folder, gatherTypes: 'podcast' });
      await settled(cluster);
      const chain = new DownloadChain({ client, db: cluster.db, publisher, catalogId, episodes: files });
      return {
        busy: () => chain.busy(),
        interrupted: () => chain.interrupted(),
        finish: () => chain.finish(),
        stop: () => publisher.stop(),
        check: async () => {
          await settled(cluster, PODCASTS.projection, PODCASTS.stream);
          const findings = await checkDownloads(cluster, chain.waves * files, folder, shows);
          const wantedBytes = chain.waves * shows.reduce((sum, { length }) => sum + length, 0);
          const { sentBytes, requests, continued } = publisher;
          return { findings, figures: { podcasts: chain.waves, files: chain.waves * files, wantedBytes, sentBytes, requests, continued } };
        },
      };
    },
  });
};
