import type { ListEnvelope, VersionPolicy } from './policy.js';
import { v8 } from './v8.js';

/** Kinds without counters that get them when they are empty (versions.md section 3.2). */
const COUNTED_WHEN_EMPTY: ReadonlySet<string> = new Set(['user', 'now_playing']);

const list: VersionPolicy['list'] = (given: ListEnvelope, format) =>
  v8.list(given.isEmpty && COUNTED_WHEN_EMPTY.has(given.name) ? { ...given, counted: true } : given, format);

/** Version 6 differs from 8 in fields alone, and those carry their ranges in the object tables (versions.md section 6.2). */
export const v6: VersionPolicy = {
  ...v8,
  version: 6,
  api: { dotted: '6.9.2', numeric: '692004' },
  profile: { ...v8.profile, version: 6 },
  list,
  withdrawn: ['tag', 'tags', 'tag_albums', 'tag_artists', 'tag_songs'],
};
