import type { NativeFault } from './fault.js';
import { Rejection } from '@continuo/contracts';
import { errorTableOf } from '../../../server/error-table.js';

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

/** Code and wording of every rejection. Versions 3 and 4 have codes of their own for these. Complete by type. */
const rejections = errorTableOf<readonly [code: number, wording: Wording]>([4704, absent], {
  'access.denied': [4742, about('account')],
  'access.level': [4742, about('account')],
  'access.address': [4742, () => ({ type: 'account', message: 'Unauthorized access attempt to API - ACL Error' })],
  'access.scope': [4742, about('account')],
  'auth.failed': [4701, ({ message, subject }) => ({ type: subject ?? 'account', message })],
  'auth.expired': [4701, () => ({ type: 'account', message: 'Session Expired' })],
  'auth.throttled': [4701, about('account')],
  'input.missing': [4710, ({ subject }) => ({ type: 'system', message: `${BAD}${subject ?? 'a parameter'}${IS_MISSING}` })],
  'input.invalid': [4710, bad('system')],
  'input.too-large': [4710, bad('system')],
  'feature.disabled': [
    4703,
    ({ subject, message }) => ({ type: 'system', message: subject === undefined ? message : `Enable: ${subject}` }),
  ],
  'catalog.path-taken': [4710, unusable('path')],
  'catalog.path-unusable': [4710, unusable('path')],
  'catalog.path-outside': [4710, unusable('path')],
  'scan.running': [4710, unusable('catalog')],
  'user.name-taken': [4710, takenAs('username')],
  'user.email-taken': [4710, takenAs('email')],
  'user.identity-taken': [4710, bad('account')],
  'user.last-administrator': [4710, bad('account')],
  'account.full': [4710, bad('account')],
  'bookmark.not-found': [4704, (rejection) => ({ ...absent(rejection), type: 'bookmark' })],
  'collection.full': [4710, bad('filter')],
  'collection.other-kind': [4710, bad('object_type')],
  'podcast.feed-taken': [4710, takenAs('url')],
  'podcast.feed-unusable': [4710, unusable('url')],
  'podcast.wrong-catalog': [4710, unusable('catalog')],
  'playlist-folder.name-taken': [4710, takenAs('name')],
  'playlist-folder.not-empty': [4710, unusable('filter')],
  'playlist-folder.below-itself': [4710, unusable('parent')],
  'playlist.full': [4710, bad('filter')],
  'democratic.cooling': [4710, unusable('oid')],
  'preference.name-taken': [4710, takenAs('filter')],
  'preference.built-in': [4710, unusable('filter')],
  'media.failed': [4702, about('system')],
  'upload.refused': [4710, bad('upl')],
  'storage.full': [4702, about('system')],
  'media.range': [4710, bad('range')],
  'transcode.busy': [4702, about('system')],
  'transcode.failed': [4702, about('system')],
  // Counted among account errors, as recorded.
  'player.unreachable': [4710, bad('account')],
  conflict: [4702, about('system')],
  'precondition.failed': [4702, about('system')],
  unavailable: [4702, about('system')],
  internal: [4702, about('system')],
});

/** Codes of all rejections in versions 5 to 8. */
export const rejectionCodes: readonly number[] = Object.values(rejections).map(([code]) => code);

/** Converts an error to the form of the native API. */
export const faultOf = (error: NativeRefusal | Rejection): NativeFault => {
  if (error instanceof NativeRefusal) return error;
  const [code, wording] = rejections[error.code];
  return { code, ...wording(error) };
};
