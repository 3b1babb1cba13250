import { z } from 'zod';
import { defineJob } from '../define.js';
import { catalogId, podcastEpisodeId, podcastId, scanId } from '../ids.js';
import { downloadRun } from '../podcast.js';
import { scanMode } from '../scan-mode.js';

/** One scan of one catalog; redelivered after a crash, it goes on with what is not recorded yet. */
export const scanCatalog = defineJob('ingest', 'scan-catalog', z.object({ scanId, catalogId, mode: scanMode.default('changes') }));

/** One download of the file of an episode; redelivered after a crash, it goes on where it stopped. */
export const downloadEpisode = defineJob(
  'ingest',
  'download-episode',
  z.object({ podcastId, episodeId: podcastEpisodeId, run: downloadRun }),
);
