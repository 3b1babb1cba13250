import { objectTable } from '../../render/object-table.js';
import type { MatchedSong } from '../../sonic/matched-songs.js';
import { songChild } from './child.object.js';
import { fieldsOf } from './fields.js';

const match = fieldsOf<MatchedSong>();

/** A song that sounds like another one (extension `sonicSimilarity`, compat facts section 8). */
export const sonicMatch = objectTable<MatchedSong, undefined>('sonicMatch', [
  match.one('entry', songChild, ({ view }) => view),
  match.num('similarity', ({ similarity }) => similarity),
]);
