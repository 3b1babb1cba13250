import type { NativeFault } from './fault.js';
import { Rejection, type ErrorCode } from '@continuo/contracts';
import type { VersionPolicy } from '../versions/policy.js';

/** Prefix of every 4710 error, and suffix of one about a missing parameter. */
export const BAD = 'Bad Request: ';
export const IS_MISSING = ' is missing';

/** An error raised by the native API itself. */
export class NativeRefusal extends Error implements NativeFault {
  override readonly name = 'NativeRefusal';
  declare readonly because?: 'taken';
  /** HTTP status that is always sent, whatever the configuration. */
  declare readonly status?: number;
  constructor(
    readonly code: number,
    readonly type: string,
    message: string,
    more: Pick<NativeFault, 'because'> & Pick<NativeRefusal, 'status'> = {},
  ) {
    super(message);
    Object.assign(this, more);
  }
}

/** 4704: object not found; `parameter` named it. */
export const notFound = (parameter: string, value: string): NativeRefusal =>
  new NativeRefusal(4704, parameter, value === '' ? 'Not Found' : `Not Found: ${value}`);
/** 4710 of type `system`: a parameter is missing. */
export const missing = (parameter: string): NativeRefusal => new NativeRefusal(4710, 'system', `${BAD}${parameter}${IS_MISSING}`);

/** Longest part of a value that is repeated in an error. */
const SHOWN = 100;
const shown = (value: string): string => (value.trim() === '' ? 'empty' : value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value);

/** 4710: invalid value, with the rule as `must be …`. */
export const badValue = (parameter: string, value: string, rule: string): NativeRefusal =>
  new NativeRefusal(4710, parameter, `${BAD}${parameter} ${rule}, was ${shown(value)}`);
/** 4710: the name is already taken. */
export const taken = (parameter: string, value: string): NativeRefusal =>
  new NativeRefusal(4710, parameter, `${BAD}${takenText(parameter, value)}`, { because: 'taken' });
/** 4710: duplicate entry of a list. */
export const duplicate = (value: string): NativeRefusal =>
  new NativeRefusal(4710, 'duplicate', `${BAD}the list must not have anything twice, and has ${shown(value)} already`, {
    because: 'taken',
  });

const takenText = (parameter: string, value: string): string => `${parameter} already exists: ${shown(value)}`;

/** Rule of a parameter with a fixed set of values. */
export const oneOf = (words: Iterable<string>): string => `must be one of ${[...words].join(', ')}`;
/** 4703: the feature is off. */
export const featureOff = (feature: string): NativeRefusal => new NativeRefusal(4703, 'system', `Enable: ${feature}`);
/** 4700: no usable version, or access control is off. */
export const noVersion = (): NativeRefusal =>
  new NativeRefusal(4700, 'system', 'Access Denied: this server does not serve that API version');
/** 4705: unknown action. */
export const unknownAction = (): NativeRefusal => new NativeRefusal(4705, 'system', 'Invalid Request');
/** 4705 for an unknown path. */
export const badAddress = (status: 400 | 404, rule: string): NativeRefusal =>
  new NativeRefusal(4705, 'system', `Invalid Request: ${rule}`, { status });
/** 4706: action withdrawn by the version. */
export const withdrawnAction = (): NativeRefusal => new NativeRefusal(4706, 'removed', 'Deprecated');

type Wording = (rejection: Rejection) => Omit<NativeFault, 'code'>;

const about =
  (type: string): Wording =>
  ({ message }) => ({ type, message });
const absent: Wording = ({ subject }) => ({ type: 'filter', message: subject === undefined ? 'Not Found' : `Not Found: ${subject}` });
const bad =
  (type: string): Wording =>
  ({ message, subject }) => {
    const isNamed = subject === undefined || message.includes(subject) || message.includes(' must ');
    return { type: subject ?? type, message: `${BAD}${isNamed ? '' : `${subject}: `}${message}` };
  };

/** The invalid value is the rejection's subject; the parameter follows from its code. */
const unusable =
  (parameter: string): Wording =>
  ({ message, subject }) => ({
    type: parameter,
    message: `${BAD}${parameter}: ${message}${subject === undefined ? '' : `, was ${shown(subject)}`}`,
  });
/** The same for values that are taken. Some subjects are the parameter, whose value is then unknown. */
const takenAs =
  (parameter: string): Wording =>
  ({ subject = parameter }) => ({
    type: parameter,
    message: `${BAD}${subject === parameter ? `${parameter} already exists` : takenText(parameter, subject)}`,
    because: 'taken',
  });

const wordings: Readonly<Record<ErrorCode, Wording>> = {
  'access.denied': about('account'),
  'access.level': about('account'),
  'access.address': () => ({ type: 'account', message: 'Unauthorized access attempt to API - ACL Error' }),
  'access.scope': about('account'),
  'auth.failed': ({ message, subject }) => ({ type: subject ?? 'account', message }),
  'auth.expired': () => ({ type: 'account', message: 'Session Expired' }),
  'auth.throttled': about('account'),
  'input.missing': ({ subject }) => ({ type: 'system', message: `${BAD}${subject ?? 'a parameter'}${IS_MISSING}` }),
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
  'user.name-taken': takenAs('username'),
  'user.email-taken': takenAs('email'),
  'user.identity-taken': bad('account'),
  'user.last-administrator': bad('account'),
  'account.full': bad('account'),
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
  'podcast.feed-taken': takenAs('url'),
  'podcast.feed-unusable': unusable('url'),
  'podcast.wrong-catalog': unusable('catalog'),
  'podcast-episode.not-found': absent,
  'playlist-folder.not-found': absent,
  'playlist-folder.name-taken': takenAs('name'),
  'playlist-folder.not-empty': unusable('filter'),
  'playlist-folder.below-itself': unusable('parent'),
  'playlist.full': bad('filter'),
  'democratic.cooling': unusable('oid'),
  'preference.not-found': absent,
  'preference.name-taken': takenAs('filter'),
  'preference.built-in': unusable('filter'),
  'media.not-found': absent,
  'media.failed': about('system'),
  'upload.refused': bad('upl'),
  'storage.full': about('system'),
  'media.range': bad('range'),
  'transcode.batch-not-found': absent,
  'transcode.busy': about('system'),
  'transcode.failed': about('system'),
  // Counted among account errors, as recorded.
  'sonic.run-not-found': absent,
  'player.unreachable': bad('account'),
  'art.not-found': absent,
  conflict: about('system'),
  'precondition.failed': about('system'),
  unavailable: about('system'),
  internal: about('system'),
};

/** Converts an error to the form of a version. */
export const faultOf = (error: NativeRefusal | Rejection, policy: VersionPolicy): NativeFault =>
  error instanceof NativeRefusal ? error : { code: policy.errors[error.code], ...wordings[error.code](error) };
