import type { ErrorCode } from '@continuo/contracts';

/** The code of every refusal in versions 5 to 8 (native README section 6). Complete by type: a new refusal does not compile until it has one. */
export const nativeErrors = {
  'access.denied': 4742,
  'access.level': 4742,
  'access.address': 4742,
  'auth.failed': 4701,
  'auth.expired': 4701,
  'auth.throttled': 4701,
  'input.missing': 4710,
  'input.invalid': 4710,
  'input.too-large': 4710,
  'feature.disabled': 4703,
  'catalog.not-found': 4704,
  'catalog.path-taken': 4710,
  'catalog.path-unusable': 4710,
  'catalog.path-outside': 4710,
  'scan.running': 4710,
  'scan.not-found': 4704,
  'song.not-found': 4704,
  'album.not-found': 4704,
  'artist.not-found': 4704,
  'genre.not-found': 4704,
  'user.not-found': 4704,
  'user.name-taken': 4710,
  'user.email-taken': 4710,
  'user.identity-taken': 4710,
  'user.last-administrator': 4710,
  'share.not-found': 4704,
  'bookmark.not-found': 4704,
  'webhook.not-found': 4704,
  'playlist.not-found': 4704,
  'smartlist.not-found': 4704,
  'collection.not-found': 4704,
  'collection.full': 4710,
  'collection.other-kind': 4710,
  'live-stream.not-found': 4704,
  'podcast.not-found': 4704,
  'podcast.feed-taken': 4710,
  'podcast.feed-unusable': 4710,
  'podcast.wrong-catalog': 4710,
  'podcast-episode.not-found': 4704,
  'playlist-folder.not-found': 4704,
  'playlist-folder.name-taken': 4710,
  'playlist-folder.not-empty': 4710,
  'playlist-folder.below-itself': 4710,
  'playlist.full': 4710,
  'democratic.cooling': 4710,
  'preference.not-found': 4704,
  'preference.name-taken': 4710,
  'preference.built-in': 4710,
  'media.not-found': 4704,
  'media.failed': 4702,
  'upload.refused': 4710,
  'storage.full': 4702,
  'media.range': 4710,
  'transcode.batch-not-found': 4704,
  'transcode.busy': 4702,
  'transcode.failed': 4702,
  'sonic.run-not-found': 4704,
  'player.unreachable': 4710,
  'art.not-found': 4704,
  conflict: 4702,
  unavailable: 4702,
  internal: 4702,
} as const satisfies Record<ErrorCode, number>;

/** HTTP status by code, for `NATIVE_HTTP_STATUS=mapped`. */
export const statusByCode: Readonly<Record<number, number>> = {
  4700: 403,
  4701: 401,
  4702: 500,
  4703: 403,
  4704: 404,
  4705: 400,
  4706: 410,
  4710: 400,
  4742: 403,
};

/** What versions 3 and 4 say where later ones say 4704 is told by the same status. */
const NOT_FOUND: readonly number[] = [4704, 404];

/**
 * HTTP status of a failure of a method that answers bytes: the contract knows 404 for what is not there, 416 for ranges, which is answered where they are read, and 400 for
 * everything else (service interface, parts 4.2 and 7; choices.md row 4). The body says what it was.
 */
export const bytesStatusOf = (code: number): number => (NOT_FOUND.includes(code) ? 404 : 400);
