import { defencesOf, type Defence } from '../defence.js';

const others = 'gateway/test/access-matrix/other-user.int.spec.ts';
const playback = 'playback/src/bookmark';
const places = `${playback}/places.int.spec.ts`;
const decider = `${playback}/bookmark.decider.unit.spec.ts`;

/** Rows 1 and 16: where people stopped is nobody else's business. */
export const placeDefences: readonly Defence[] = defencesOf([
  [
    1,
    'see bookmarks of others',
    'gateway/src/reads/plays/bookmarks.reads.ts',
    'const conditions = [sql`b.user_id = ${viewer.userId}`, isThere(viewer, types)];',
    'const conditions = [isThere(viewer, types)];',
    others,
    'bookmark|Bookmark',
  ],
  [
    1,
    'see in a song where others stopped',
    'gateway/src/reads/people/annotations.reads.ts',
    'where user_id = ${viewer.userId} and object_type = ${kind}',
    'where object_type = ${kind}',
    others,
    'getSong|getBookmarks',
  ],
  [
    1,
    'see the play queue of another account',
    'gateway/src/reads/plays/play-queues.reads.ts',
    ".where('user_id', '=', viewer.userId)",
    '',
    others,
    'PlayQueue',
  ],
  [
    1,
    'move a bookmark of another account',
    `${playback}/bookmark.decider.ts`,
    'state.key?.userId === command.userId && state.placed !== null',
    'state.placed !== null',
    decider,
  ],
  [
    1,
    'read in the log what somebody wrote on a bookmark',
    `${playback}/bookmark-labels.ts`,
    'sealedLabel: sealer.seal(label)',
    'sealedLabel: label',
    places,
  ],
  [
    16,
    'keep a play queue without end',
    'contracts/src/messages/commands/bookmark.commands.ts',
    '<= MAX_PLAY_QUEUE',
    '< Infinity',
    places,
    'as much as it may',
  ],
]);
