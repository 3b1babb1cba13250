import { sql } from 'kysely';
import { mayOpen } from '../reads/visibility/playlist-access.js';
import type { Kind } from './kind.js';

/** Collections of things of several kinds, which have lists of their own. */
export const collection = { source: { from: sql`library.collection t`, visible: (viewer) => mayOpen(viewer) } } satisfies Kind;
