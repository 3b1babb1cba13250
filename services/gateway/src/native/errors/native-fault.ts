import { Rejection, type ErrorCode } from '@continuo/contracts';
import type { VersionPolicy } from '../versions/policy.js';

/** An error as the native API reports it. */
export interface NativeFault {
  readonly code: number;
  /** What the error is about: `system`, `account`, or the parameter at fault. */
  readonly type: string;
  readonly message: string;
}

/** A refusal that the native edge itself makes, in the words of its protocol. */
export class NativeRefusal extends Error implements NativeFault {
  override readonly name = 'NativeRefusal';
  constructor(
    readonly code: number,
    readonly type: string,
    message: string,
  ) {
    super(message);
  }
}

/** 4704: there is no such object; `parameter` is the one that named it. */
export const notFound = (parameter: string, value: string): NativeRefusal =>
  new NativeRefusal(4704, parameter, value === '' ? 'Not Found' : `Not Found: ${value}`);
/** 4710 of type `system`: a parameter is missing. */
export const missing = (parameter: string): NativeRefusal => new NativeRefusal(4710, 'system', `Bad Request: ${parameter}`);
/** 4710: a parameter has a value that cannot be used. */
export const badValue = (parameter: string, value: string): NativeRefusal => new NativeRefusal(4710, parameter, `Bad Request: ${value}`);
/** 4703: the feature is off. */
export const featureOff = (feature: string): NativeRefusal => new NativeRefusal(4703, 'system', `Enable: ${feature}`);
/** 4700: no usable version, or access control is off. */
export const noVersion = (): NativeRefusal =>
  new NativeRefusal(4700, 'system', 'Access Denied: this server does not serve that API version');
/** 4705: there is no such action. */
export const unknownAction = (): NativeRefusal => new NativeRefusal(4705, 'system', 'Invalid Request');
/** 4706: the version withdrew the action. */
export const withdrawnAction = (): NativeRefusal => new NativeRefusal(4706, 'removed', 'Deprecated');

type Wording = (rejection: Rejection) => Omit<NativeFault, 'code'>;

const about =
  (type: string): Wording =>
  ({ message }) => ({ type, message });
const absent: Wording = ({ subject }) => ({ type: 'filter', message: subject === undefined ? 'Not Found' : `Not Found: ${subject}` });
const bad =
  (type: string): Wording =>
  ({ message, subject }) => ({ type: subject ?? type, message: `Bad Request: ${message}` });

/** The value at fault is the rejection's subject, the parameter is known from the refusal itself. */
const unusable =
  (parameter: string): Wording =>
  ({ message, subject }) => ({
    type: parameter,
    message: subject === undefined ? `Bad Request: ${message}` : `Bad Request: ${subject} (${message})`,
  });

const wordings: Readonly<Record<ErrorCode, Wording>> = {
  'access.denied': about('account'),
  'access.level': about('account'),
  'access.address': () => ({ type: 'account', message: 'Unauthorized access attempt to API - ACL Error' }),
  'auth.failed': ({ message, subject }) => ({ type: subject ?? 'account', message }),
  'auth.expired': () => ({ type: 'account', message: 'Session Expired' }),
  'auth.throttled': about('account'),
  'input.missing': ({ subject }) => ({ type: 'system', message: `Bad Request: ${subject ?? ''}` }),
  'input.invalid': bad('system'),
  'input.too-large': bad('system'),
  'feature.disabled': ({ subject, message }) => ({ type: 'system', message: subject === undefined ? message : `Enable: ${subject}` }),
  'catalog.not-found': absent,
  'catalog.path-taken': unusable('path'),
  'catalog.path-unusable': unusable('path'),
  'catalog.path-outside': unusable('path'),
  'scan.running': unusable('catalog'),
  'scan.not-found': absent,
  'song.not-found': absent,
  'album.not-found': absent,
  'artist.not-found': absent,
  'genre.not-found': absent,
  'user.not-found': absent,
  'user.name-taken': unusable('username'),
  'user.email-taken': unusable('email'),
  'user.identity-taken': bad('account'),
  'user.last-administrator': bad('account'),
  'share.not-found': absent,
  'bookmark.not-found': (rejection) => ({ ...absent(rejection), type: 'bookmark' }),
  'webhook.not-found': absent,
  'playlist.not-found': absent,
  'smartlist.not-found': absent,
  'collection.not-found': absent,
  'collection.full': bad('filter'),
  'collection.other-kind': bad('object_type'),
  'live-stream.not-found': absent,
  'podcast.not-found': absent,
  'podcast.feed-taken': unusable('url'),
  'podcast.feed-unusable': unusable('url'),
  'podcast.wrong-catalog': unusable('catalog'),
  'podcast-episode.not-found': absent,
  'playlist-folder.not-found': absent,
  'playlist-folder.name-taken': unusable('name'),
  'playlist-folder.not-empty': unusable('filter'),
  'playlist-folder.below-itself': unusable('parent'),
  'playlist.full': bad('filter'),
  'democratic.cooling': unusable('oid'),
  'preference.not-found': absent,
  'preference.name-taken': unusable('filter'),
  'preference.built-in': unusable('filter'),
  'media.not-found': absent,
  'media.failed': about('system'),
  'upload.refused': bad('upl'),
  'storage.full': about('system'),
  'media.range': bad('range'),
  'transcode.batch-not-found': absent,
  'transcode.busy': about('system'),
  'transcode.failed': about('system'),
  // versions.md counts it among the troubles of accounts.
  'sonic.run-not-found': absent,
  'player.unreachable': bad('account'),
  'art.not-found': absent,
  conflict: about('system'),
  unavailable: about('system'),
  internal: about('system'),
};

/** How a refusal is reported in a version. */
export const faultOf = (error: NativeRefusal | Rejection, policy: VersionPolicy): NativeFault =>
  error instanceof NativeRefusal ? error : { code: policy.errors[error.code], ...wordings[error.code](error) };
