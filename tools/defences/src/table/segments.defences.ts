import { defencesOf, type Defence } from '../defence.js';

const tokens = 'gateway/src/features/hls/hls.unit.spec.ts';
const lists = 'gateway/src/apis/hls/hls.int.spec.ts';
const captions = 'gateway/src/features/captions/captions.int.spec.ts';
const videos = 'gateway/src/apis/compat/registry/library/video.endpoints.ts';

/** Rows 3, 7, 8 and 14, as far as HLS and captions open a way to media. */
export const segmentDefences: readonly Defence[] = defencesOf([
  [
    3,
    'forge the address of a segment',
    'gateway/src/features/hls/hls-grant.ts',
    'return isMark(bodyOf(grant, hour), mark) ? { grant, hour } : undefined;',
    'return { grant, hour };',
    tokens,
  ],
  [
    3,
    'use the address of a segment for ever',
    'gateway/src/features/hls/hls-grant.ts',
    'return parts && Number.parseInt(parts.hour, 36) * HOUR_MS > now() ? parts.grant : undefined;',
    'return parts?.grant;',
    tokens,
  ],
  [
    3,
    'open a segment for a disabled account',
    'gateway/src/apis/hls/hls.surface.ts',
    '!account || account.disabled ||',
    '!account ||',
    lists,
  ],
  [
    3,
    'open a segment from an address that the list does not admit',
    'gateway/src/apis/hls/hls.surface.ts',
    "if (!(await auth.admits('stream', auth.clientAddress(context.auth), account.id))) throw new Rejection('access.address');",
    '',
    lists,
  ],
  [
    3,
    'open a segment of what the account does not see any more',
    'gateway/src/apis/hls/hls.surface.ts',
    'hlsMedium(this.services, grant, viewer)',
    "hlsMedium(this.services, grant, { ...viewer, catalogs: 'all' })",
    lists,
  ],
  [
    3,
    'open a segment of a video where videos are switched off',
    'gateway/src/features/hls/hls-media.ts',
    'config.ALLOW_VIDEO && ',
    '',
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
