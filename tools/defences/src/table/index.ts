import type { Defence } from '../defence.js';
import { contentDefences } from './content.defences.js';
import { credentialDefences } from './credentials.defences.js';
import { ownershipDefences } from './ownership.defences.js';
import { shareDefences } from './shares.defences.js';
import { webDefences } from './web.defences.js';
import { webLoginDefences } from './web-login.defences.js';

/** Every defence that is tried, by row of the table of threats. */
export const defences: readonly Defence[] = [
  ...ownershipDefences,
  ...credentialDefences,
  ...shareDefences,
  ...contentDefences,
  ...webLoginDefences,
].toSorted((a, b) => a.threat - b.threat);
