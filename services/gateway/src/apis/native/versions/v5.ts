import { AS_ATTRIBUTE, fieldNode, listNode, objectNode, type FieldNode, type Node, type ObjectNode } from '../../../render/index.js';
import type { Format, ListEnvelope, ObjectEnvelope, VersionPolicy } from './policy.js';
import { v6 } from './v6.js';

/** Kinds that are a list of one in JSON, while other single objects are bare. */
const LISTED_SINGLE: ReadonlySet<string> = new Set(['album', 'bookmark']);

const total = (counted: boolean, count: number): FieldNode[] => (counted ? [fieldNode('total_count', count)] : []);

const list = (given: ListEnvelope, format: Format): ObjectNode => {
  const items = fieldNode(given.name, given.items);
  if (format === 'json') return objectNode([items]);
  return given.isEmpty ? objectNode([]) : objectNode([...total(given.counted, given.total), items]);
};

/** The kind that is a bare array of one. */
const BARE_ARRAY = 'preference';

const object = (given: ObjectEnvelope, format: Format): Node => {
  if (format === 'xml') return objectNode([...total(given.counted, 1), fieldNode(given.name, given.node)]);
  if (given.name === BARE_ARRAY) return listNode([given.node]);
  return LISTED_SINGLE.has(given.name) ? objectNode([fieldNode(given.name, listNode([given.node]))]) : given.node;
};

const success = (message: string, extra: readonly FieldNode[], format: Format): ObjectNode => {
  if (format === 'json') return objectNode([fieldNode('success', message), ...extra]);
  const text = fieldNode('text', message, { json: 'none', xml: 'cdata-text' });
  return objectNode([fieldNode('success', objectNode([fieldNode('code', '1', AS_ATTRIBUTE), text])), ...extra]);
};

/** Version 5: no counters in JSON, no content hash, numeric booleans. */
export const v5: VersionPolicy = {
  ...v6,
  version: 5,
  api: { dotted: '5.5.6', numeric: '556000' },
  profile: { ...v6.profile, version: 5, booleans: 'digit' },
  list,
  object,
  success,
};
