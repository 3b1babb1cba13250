import { defencesOf, type Defence } from '../defence.js';

const hls = 'gateway/src/hls';
const tokens = `${hls}/hls.unit.spec.ts`;
const lists = `${hls}/hls.int.spec.ts`;
const captions = 'gateway/src/captions/captions.int.spec.ts';
const videos = 'gateway/src/compat/registry/video.endpoints.ts';

/** Rows 3, 7, 8 and 14, as far as HLS and captions open a way to media. */
export const segmentDefences: readonly Defence[] = defencesOf([
  [3, 'forge the address of a segment', `${hls}/hls-grant.ts`, 'if (!isMark(bodyOf(grant, hour), mark)) return undefined;', '', tokens],
  [
    3,
    'use the address of a segment for ever',
    `${hls}/hls-grant.ts`,
    'return Number.parseInt(hour, 36) * HOUR_MS > now() ? grant : undefined;',
    'return grant;',
    tokens,
  ],
  [3, 'open a segment for a disabled account', `${hls}/hls.surface.ts`, '!account || account.disabled ||', '!account ||', lists],
  [
    3,
    'open a segment from an address that the list does not admit',
    `${hls}/hls.surface.ts`,
    "if (!(await auth.admits('stream', auth.clientAddress(context.auth), account.id))) throw new Rejection('access.address');",
    '',
    lists,
  ],
  [
    3,
    'open a segment of what the account does not see any more',
    `${hls}/hls.surface.ts`,
    'hlsMedium(this.services, grant, viewer)',
    "hlsMedium(this.services, grant, { ...viewer, catalogs: 'all' })",
    lists,
  ],
  [
    3,
    'open a segment of a video where videos are switched off',
    `${hls}/hls-media.ts`,
    "kind === 'song' || config.ALLOW_VIDEO",
    'true',
    lists,
  ],
  [
    3,
    'read the captions of a video where videos are switched off',
    videos,
    'services.config.ALLOW_VIDEO && id !== undefined',
    'id !== undefined',
    captions,
  ],
]);
