import type { VersionPolicy } from './policy.js';
import { v8 } from './v8.js';

/** Version 6 differs from 8 in fields alone, and those carry their ranges in the object tables (versions.md section 6.2). */
export const v6: VersionPolicy = {
  ...v8,
  version: 6,
  api: { dotted: '6.9.2', numeric: '692004' },
  profile: { ...v8.profile, version: 6 },
  withdrawn: ['tag', 'tags', 'tag_albums', 'tag_artists', 'tag_songs'],
};
