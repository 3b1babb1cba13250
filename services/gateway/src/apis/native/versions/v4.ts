import { AS_ATTRIBUTE, fieldNode, listNode, objectNode, type FieldNode, type Node } from '../../../render/index.js';
import { BAD, IS_MISSING } from '../errors/native-fault.js';
import { type NativeFault } from '../errors/fault.js';
import type { Format, ListEnvelope, ObjectEnvelope, VersionPolicy } from './policy.js';
import { v5 } from './v5.js';

/** Names of kinds in version 4. */
const KINDS: Readonly<Record<string, string>> = { genre: 'tag' };
const kindOf = (name: string): string => KINDS[name] ?? name;

/** Kinds under a key in JSON; others are bare arrays. */
const KEYS: Readonly<Record<string, string>> = { tag: 'tag', user: 'user', activity: 'timeline' };
/** Kinds with a wrapper in XML, also when empty; accounts are names only in version 3. */
const WRAPPERS: Readonly<Record<string, string>> = { user: 'users', username: 'users', activity: 'timeline', shout: 'shouts' };

const list = (given: ListEnvelope, format: Format): Node => {
  const name = kindOf(given.name);
  const wrapper = WRAPPERS[name];
  if (wrapper && format === 'xml') return objectNode([fieldNode(wrapper, given.items, { json: 'key', xml: 'wrapped', item: name })]);
  if (given.isEmpty) return format === 'json' ? listNode([]) : objectNode([fieldNode('total_count', 0)]);
  const key = KEYS[name];
  if (format === 'json') return key === undefined ? given.items : objectNode([fieldNode(key, given.items)]);
  const total = given.counted ? [fieldNode('total_count', given.total)] : [];
  return objectNode([...total, fieldNode(name, given.items)]);
};

const object = (given: ObjectEnvelope, format: Format): Node => {
  const name = kindOf(given.name);
  if (format === 'xml') return objectNode([...(given.counted ? [fieldNode('total_count', 1)] : []), fieldNode(name, given.node)]);
  if (name === 'podcast_episode') return objectNode([fieldNode(name, listNode([given.node]))]);
  if (name === 'user') return objectNode([fieldNode(name, given.node)]);
  return Object.hasOwn(KEYS, name) ? objectNode([fieldNode(name, listNode([given.node]))]) : listNode([given.node]);
};

/** Codes of versions 3 and 4 by those of later ones. Invalid and missing parameters are both 401. */
const CODES: Readonly<Record<number, number>> = {
  4700: 501,
  4701: 401,
  4702: 405,
  4703: 400,
  4704: 404,
  4705: 405,
  4706: 405,
  4710: 401,
  4742: 400,
};
const ACCESS_LIST = /ACL Error$/;

/** Methods about lists: another account's list gets the code of failed logins, not of levels. */
export const OF_LISTS = /^(?:playlist|smartlist)/;
const isOfAnother = ({ code, message }: NativeFault, action: string): boolean =>
  code === 4742 && message.startsWith('Require: ') && OF_LISTS.test(action);

/** A taken name or duplicate entry is a failed operation, not an invalid parameter. */
const codeOf = (fault: NativeFault, action: string): number => {
  if (fault.because === 'taken') return 400;
  if (isOfAnother(fault, action)) return 401;
  return fault.code === 4742 && ACCESS_LIST.test(fault.message) ? 403 : (CODES[fault.code] ?? 405);
};

/** Objects that actions are named after; `filter` is the id of one of them. */
const THING =
  /^(?:podcast_episode|live_stream|album_disk|playlist|smartlist|podcast|catalog|album|artist|genre|label|license|song|video|share|tag)(?=_(?!create$)|$)/;
const NOT_FOUND = /^Not Found(?:: (?<value>[^]+))?$/;

const absentText = (fault: NativeFault, action: string): string => {
  const found = NOT_FOUND.exec(fault.message);
  if (!found) return fault.message;
  const thing = fault.type === 'filter' ? (THING.exec(action)?.[0] ?? fault.type) : fault.type;
  const value = found.groups?.['value'];
  return value === undefined ? `${thing} was not found` : `${thing} ${value} was not found`;
};

/** Errors about parameters lack the prefix of later versions. */
const badText = ({ type, message }: NativeFault): string => {
  if (type === 'duplicate') return "Can't add a duplicate item when check is enabled";
  const text = message.startsWith(BAD) ? message.slice(BAD.length) : message;
  return type === 'system' && text.endsWith(IS_MISSING) ? `Missing mandatory parameter '${text.slice(0, -IS_MISSING.length)}'` : text;
};

const wordsOf = (fault: NativeFault, action: string): string => {
  const { code, message } = fault;
  if (code === 4700) return 'Access Control not Enabled';
  if (code === 4702 || code === 4706) return 'Invalid Request';
  if (code === 4703) return `Access Denied: ${message.replace(/^Enable: /, '')} is not enabled.`;
  if (code === 4704) return absentText(fault, action);
  if (code === 4710) return badText(fault);
  if (isOfAnother(fault, action)) return 'Access denied to this playlist';
  return code === 4742 && message.startsWith('Require: ') ? 'User does not have access to this function' : message;
};

const error: VersionPolicy['error'] = (fault, action) => {
  const code = codeOf(fault, action);
  const text = fieldNode('message', wordsOf(fault, action), { json: 'key', xml: 'cdata-text' });
  const fields = [fieldNode('code', String(code), AS_ATTRIBUTE), text];
  return objectNode([fieldNode('error', objectNode(fields))]);
};

const success = (message: string, _extra: readonly FieldNode[], format: Format): ReturnType<VersionPolicy['success']> =>
  v5.success(message, [], format);

/** Version 4: bare arrays in JSON, genres called tags, errors with two fields. */
export const v4: VersionPolicy = {
  ...v5,
  version: 4,
  api: { dotted: '443000', numeric: '443000' },
  profile: { ...v5.profile, version: 4, kinds: KINDS },
  withdrawn: [],
  list,
  object,
  success,
  error,
  farewell: (token) => `goodbye: ${token}`,
};
