import { AS_ATTRIBUTE, fieldNode, listNode, objectNode, type FieldNode, type Node } from '../../render/index.js';
import type { NativeFault } from '../errors/native-fault.js';
import type { Format, ListEnvelope, ObjectEnvelope, VersionPolicy } from './policy.js';
import { v5 } from './v5.js';

/** What version 4 calls kinds that later versions renamed. */
const KINDS: Readonly<Record<string, string>> = { genre: 'tag' };
const kindOf = (name: string): string => KINDS[name] ?? name;

/** Kinds under a key in JSON; all others are bare arrays (versions.md section 3.3). */
const KEYS: Readonly<Record<string, string>> = { tag: 'tag', user: 'user', activity: 'timeline' };
/** Kinds that a wrapper holds together in XML, be it empty; accounts are names alone in version 3. */
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

/** Codes of versions 3 and 4 by those of later ones (versions.md section 4). A wrong parameter and a missing one are both 401 here. */
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

const wordsOf = ({ code, type, message }: NativeFault): string => {
  if (code === 4700) return 'Access Control not Enabled';
  if (code === 4702 || code === 4706) return 'Invalid Request';
  if (code === 4703) return `Access Denied: ${message.replace(/^Enable: /, '')} is not enabled.`;
  if (code === 4710 && type === 'system') return `Missing mandatory parameter '${message.replace(/^Bad Request: /, '')}'`;
  return code === 4742 && message.startsWith('Require: ') ? 'User does not have access to this function' : message;
};

const error = (fault: NativeFault): ReturnType<VersionPolicy['error']> => {
  const code = fault.code === 4742 && ACCESS_LIST.test(fault.message) ? 403 : (CODES[fault.code] ?? 405);
  const fields = [fieldNode('code', String(code), AS_ATTRIBUTE), fieldNode('message', wordsOf(fault), { json: 'key', xml: 'cdata-text' })];
  return objectNode([fieldNode('error', objectNode(fields))]);
};

const success = (message: string, _extra: readonly FieldNode[], format: Format): ReturnType<VersionPolicy['success']> =>
  v5.success(message, [], format);

/** Version 4: bare arrays in JSON, genres called tags, two-field errors (versions.md sections 3, 4, 6.4 and 7.4). */
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
