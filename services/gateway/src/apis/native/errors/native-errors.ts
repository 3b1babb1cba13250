import type { ErrorCode } from '@continuo/contracts';

/** Native error code of every rejection in versions 5 to 8. Complete by type. */
export const nativeErrors = {
  'access.denied': 4742,
  'access.level': 4742,
  'access.address': 4742,
  'access.scope': 4742,
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
  'account.full': 4710,
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
  'precondition.failed': 4702,
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

/** Not found, in versions 5 to 8 and in versions 3 and 4. */
const NOT_FOUND: readonly number[] = [4704, 404];

/**
 * HTTP status of a failed media request: 404 for a missing object, 400 for everything else; 416 is sent where ranges are read. The body
 * holds the error.
 */
export const bytesStatusOf = (code: number): number => (NOT_FOUND.includes(code) ? 404 : 400);
