/**
 * Every reason for which a command or a query can be refused: what it means and whether the same request may succeed later.
 * Domain code knows only these codes; each protocol edge owns one total map from them to its own numbers.
 */
export const errorTable = {
  'access.denied': { meaning: 'the account may not do this', retry: 'never' },
  'access.level': { meaning: 'the account is below the needed access level', retry: 'never' },
  'access.address': {
    meaning: 'no access-list row admits this account from this address',
    retry: 'never',
  },
  'access.scope': { meaning: 'the key lacks the needed scope', retry: 'never' },
  'auth.failed': { meaning: 'wrong credentials', retry: 'never' },
  'auth.expired': { meaning: 'the session is unknown or has ended', retry: 'never' },
  'auth.throttled': { meaning: 'too many failed logins', retry: 'later' },
  'input.missing': { meaning: 'a required parameter is missing', retry: 'never' },
  'input.invalid': { meaning: 'a parameter has a value that cannot be used', retry: 'never' },
  'input.too-large': { meaning: 'the request is larger than the server accepts', retry: 'never' },
  'feature.disabled': { meaning: 'the feature is switched off on this server', retry: 'never' },
  'catalog.not-found': { meaning: 'no such catalog', retry: 'never' },
  'catalog.path-taken': { meaning: 'another catalog already holds this folder', retry: 'never' },
  'catalog.path-unusable': {
    meaning: 'the folder does not exist or cannot be read',
    retry: 'never',
  },
  'catalog.path-outside': { meaning: 'the path does not lie in the catalog', retry: 'never' },
  'scan.running': { meaning: 'a scan of this catalog is already running', retry: 'later' },
  'scan.not-found': { meaning: 'no such scan', retry: 'never' },
  'song.not-found': { meaning: 'no such song', retry: 'never' },
  'album.not-found': { meaning: 'no such album', retry: 'never' },
  'artist.not-found': { meaning: 'no such artist', retry: 'never' },
  'genre.not-found': { meaning: 'no such genre', retry: 'never' },
  'user.not-found': { meaning: 'no such account', retry: 'never' },
  'user.name-taken': { meaning: 'the user name is taken', retry: 'never' },
  'user.email-taken': { meaning: 'another account has this mail address', retry: 'never' },
  'user.identity-taken': { meaning: 'this identity opens another account', retry: 'never' },
  'user.last-administrator': { meaning: 'the last administrator who can log in has to stay one', retry: 'never' },
  'account.full': { meaning: 'the account has as many of these as it may have', retry: 'never' },
  'share.not-found': { meaning: 'no such share', retry: 'never' },
  'bookmark.not-found': { meaning: 'no such bookmark', retry: 'never' },
  'webhook.not-found': { meaning: 'no such webhook', retry: 'never' },
  'playlist.not-found': { meaning: 'no such playlist', retry: 'never' },
  'smartlist.not-found': { meaning: 'no such smartlist', retry: 'never' },
  'collection.not-found': { meaning: 'no such collection', retry: 'never' },
  'collection.full': { meaning: 'it would hold more than it can', retry: 'never' },
  'collection.other-kind': { meaning: 'the collection takes things of another kind only', retry: 'never' },
  'live-stream.not-found': { meaning: 'no such live stream', retry: 'never' },
  'podcast.not-found': { meaning: 'no such podcast', retry: 'never' },
  'podcast.feed-taken': { meaning: 'the catalog has this feed already', retry: 'never' },
  'podcast.feed-unusable': { meaning: 'the feed cannot be read', retry: 'later' },
  'podcast.wrong-catalog': { meaning: 'the catalog is not one of podcasts', retry: 'never' },
  'podcast-episode.not-found': { meaning: 'no such episode of a podcast', retry: 'never' },
  'playlist-folder.not-found': { meaning: 'no such folder of lists', retry: 'never' },
  'playlist-folder.name-taken': { meaning: 'there is a folder of this name beside it already', retry: 'never' },
  'playlist-folder.not-empty': { meaning: 'the folder is not empty', retry: 'never' },
  'playlist-folder.below-itself': { meaning: 'a folder cannot stand below itself', retry: 'never' },
  'playlist.full': { meaning: 'the playlist would hold more than it can', retry: 'never' },
  'democratic.cooling': { meaning: 'the song was played a short time ago and has to wait', retry: 'later' },
  'preference.not-found': { meaning: 'no such preference', retry: 'never' },
  'preference.name-taken': { meaning: 'there is a preference of this name already', retry: 'never' },
  'preference.built-in': { meaning: 'the preference belongs to the server and stays', retry: 'never' },
  'media.not-found': { meaning: 'the file is missing or unreadable', retry: 'never' },
  'media.failed': { meaning: 'the file cannot be read or deleted', retry: 'never' },
  'upload.refused': { meaning: 'the uploaded file is not taken in', retry: 'never' },
  'storage.full': { meaning: 'there is no room left on a disk of the server', retry: 'later' },
  'media.range': { meaning: 'the requested byte range lies outside the file', retry: 'never' },
  'transcode.batch-not-found': { meaning: 'no such batch of transcodes', retry: 'never' },
  'transcode.busy': { meaning: 'every place for transcoding is taken', retry: 'later' },
  'transcode.failed': { meaning: 'the file cannot be brought into this form', retry: 'never' },
  'sonic.run-not-found': { meaning: 'no such run of the sonic analysis', retry: 'never' },
  'player.unreachable': { meaning: 'the player on this server does not answer', retry: 'later' },
  'art.not-found': { meaning: 'there is no art for this object', retry: 'never' },
  conflict: { meaning: 'somebody else changed the same thing at the same time', retry: 'now' },
  'precondition.failed': { meaning: 'the resource has changed since it was read', retry: 'never' },
  unavailable: { meaning: 'a part of the server does not answer', retry: 'later' },
  internal: {
    meaning: 'an unexpected failure; the log has the details under the correlation id',
    retry: 'later',
  },
} as const satisfies Record<string, { meaning: string; retry: 'never' | 'now' | 'later' }>;

export type ErrorCode = keyof typeof errorTable;

/** True for a string that names a row of {@link errorTable}. */
export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorTable, code);

/**
 * A refusal that the caller is meant to see. `subject` names the parameter or the value at fault, for the edges that report it.
 */
export class Rejection extends Error {
  override readonly name = 'Rejection';
  constructor(
    readonly code: ErrorCode,
    message: string = errorTable[code].meaning,
    readonly subject?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
