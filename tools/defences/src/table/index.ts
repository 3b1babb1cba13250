import type { Defence } from '../defence.js';
import { contentDefences } from './content.defences.js';
import { credentialDefences } from './credentials.defences.js';
import { guessDefences } from './guesses.defences.js';
import { ownershipDefences } from './ownership.defences.js';
import { placeDefences } from './places.defences.js';
import { playerDefences } from './players.defences.js';
import { podcastDefences } from './podcasts.defences.js';
import { requestBoundDefences } from './request-bounds.defences.js';
import { roleDefences } from './roles.defences.js';
import { segmentDefences } from './segments.defences.js';
import { serverPathDefences } from './server-paths.defences.js';
import { shareDefences } from './shares.defences.js';
import { transcodeDefences } from './transcodes.defences.js';
import { webLoginDefences } from './web-login.defences.js';
import { webDefences } from './web.defences.js';

const all = [
  ownershipDefences,
  placeDefences,
  credentialDefences,
  shareDefences,
  contentDefences,
  webDefences,
  webLoginDefences,
  segmentDefences,
  podcastDefences,
  playerDefences,
  transcodeDefences,
  guessDefences,
  roleDefences,
  serverPathDefences,
  requestBoundDefences,
];

/** Every defence that is tried, by row of the table of threats. */
export const defences: readonly Defence[] = all.flat().toSorted((a, b) => a.threat - b.threat);
