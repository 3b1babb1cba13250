import type { ListEnvelope, VersionPolicy } from './policy.js';
import { v8 } from './v8.js';

/** Kinds that have counters only when empty. */
const COUNTED_WHEN_EMPTY: ReadonlySet<string> = new Set(['user', 'now_playing']);

const list: VersionPolicy['list'] = (given: ListEnvelope, format) =>
  v8.list(given.isEmpty && COUNTED_WHEN_EMPTY.has(given.name) ? { ...given, counted: true } : given, format);

/** Version 6 differs from 8 in fields only, which the object tables define. */
export const v6: VersionPolicy = {
  ...v8,
  version: 6,
  api: { dotted: '6.9.2', numeric: '692004' },
  profile: { ...v8.profile, version: 6 },
  list,
  withdrawn: ['tag', 'tags', 'tag_albums', 'tag_artists', 'tag_songs'],
};
