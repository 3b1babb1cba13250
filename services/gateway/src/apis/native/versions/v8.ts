import { AS_ATTRIBUTE, AS_CDATA, fieldNode, objectNode, type FieldNode, type ObjectNode } from '../../../render/index.js';
import type { NativeFault } from '../errors/fault.js';
import type { Format, ListEnvelope, ObjectEnvelope, VersionPolicy } from './policy.js';

const counters = (total: number, md5: () => string): FieldNode[] => [fieldNode('total_count', total), fieldNode('md5', md5())];

/** An empty list is an empty root in XML, and keeps its counters in JSON. */
const list = (given: ListEnvelope, format: Format): ObjectNode => {
  if (format === 'xml' && given.isEmpty) return objectNode([]);
  return objectNode([...(given.counted ? counters(given.total, given.md5) : []), fieldNode(given.name, given.items)]);
};

/** One object is bare in JSON, and a list of one in XML. */
const object = (given: ObjectEnvelope, format: Format): ObjectNode => {
  if (format === 'json') return given.node;
  return objectNode([...(given.counted ? counters(1, given.md5) : []), fieldNode(given.name, given.node)]);
};

const success = (message: string, extra: readonly FieldNode[], format: Format): ObjectNode => {
  if (format === 'json') return objectNode([fieldNode('success', message), ...extra]);
  const text = objectNode([fieldNode('code', '1', AS_ATTRIBUTE), fieldNode('message', message, AS_CDATA)]);
  return objectNode([fieldNode('success', text), ...extra]);
};

const error = (fault: NativeFault, action: string): ObjectNode =>
  objectNode([
    fieldNode(
      'error',
      objectNode([
        fieldNode('errorCode', String(fault.code), AS_ATTRIBUTE),
        fieldNode('errorAction', action, AS_CDATA),
        fieldNode('errorType', fault.type, AS_CDATA),
        fieldNode('errorMessage', fault.message, AS_CDATA),
      ]),
    ),
  ]);

/** Version 8, the canonical one. */
export const v8: VersionPolicy = {
  version: 8,
  api: { dotted: '8.0.0', numeric: '800000' },
  profile: { version: 8, open: true, booleans: 'word', ids: 'text' },
  withdrawn: ['get_indexes', 'playlist_add_song', 'user_update'],
  list,
  object,
  success,
  error,
  farewell: (token) => token,
};
