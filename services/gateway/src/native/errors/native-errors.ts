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
  'user.last-administrator': 4710,
  'media.not-found': 4704,
  'media.failed': 4702,
  'media.range': 4710,
  'art.not-found': 4704,
  conflict: 4702,
  unavailable: 4702,
  internal: 4702,
} as const satisfies Record<ErrorCode, number>;

/** HTTP status by code, for bytes and for `NATIVE_HTTP_STATUS=mapped`. */
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
