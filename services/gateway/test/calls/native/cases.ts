import { accountCases } from './account.cases.js';
import { libraryCases } from './library.cases.js';
import { listCases } from './list.cases.js';
import { liveStreamCases } from './live-stream.cases.js';
import { maintenanceCases } from './maintenance.cases.js';
import { playbackCases } from './playback.cases.js';
import { podcastCases } from './podcast.cases.js';
import { refusalCases } from './refusal.cases.js';
import { searchCases } from './search.cases.js';
import { socialCases } from './social.cases.js';

const groups = [
  accountCases,
  libraryCases,
  listCases,
  liveStreamCases,
  maintenanceCases,
  playbackCases,
  podcastCases,
  refusalCases,
  searchCases,
  socialCases,
];

/**
 * Calls by the name of their golden file in contracts/golden/native; each is made in every version and both formats, as an administrator.
 */
export const cases: Readonly<Record<string, string>> = Object.assign({}, ...groups) as Record<string, string>;
