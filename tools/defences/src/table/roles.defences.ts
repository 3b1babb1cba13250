import { defencesOf, type Defence } from '../defence.js';

const surfaces = 'gateway/test/access-matrix/taken-roles.int.spec.ts';

/** Rows 2 and 3: roles that administrators have taken, on every surface. */
export const roleDefences: readonly Defence[] = defencesOf([
  [
    2,
    'call a native action whose role was taken',
    'gateway/src/apis/native/dispatch.ts',
    'requireActionRole(preferences, context.caller, role);',
    '',
    surfaces,
  ],
  [2, 'be given a role as a guest', 'gateway/src/preferences/account-roles.ts', 'account.access >= USER && ', '', surfaces],
  [
    2,
    'share without the role',
    'gateway/src/features/share/share-policy.ts',
    "config.SHARE && !isRoleTaken(preferences, userId, 'share')",
    'config.SHARE',
    surfaces,
  ],
  [
    3,
    'play without the role',
    'gateway/src/apis/media/play.surface.ts',
    "if (fetchingOf(context.params) !== 'download') requireRole(await services.preferences.current(), viewer.userId, 'stream');",
    '',
    surfaces,
  ],
  [
    3,
    'play segments without the role',
    'gateway/src/apis/hls/hls.surface.ts',
    "requireRole(snapshot, account.id, 'stream');",
    '',
    surfaces,
  ],
  [
    3,
    'hear by a share what its owner may not hear',
    'gateway/src/features/share/share-access.ts',
    "share.allowStream && !isRoleTaken(preferences, owner.id, 'stream')",
    'share.allowStream',
    surfaces,
  ],
]);
