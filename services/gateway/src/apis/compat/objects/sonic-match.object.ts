import { objectTable } from '../../../render/object-table.js';
import type { MatchedSong } from '../../../features/sonic/matched-songs.js';
import { songChild } from './child.object.js';
import { fieldsOf } from './fields.js';

const match = fieldsOf<MatchedSong>();

/** A similar-sounding song (extension `sonicSimilarity`). */
export const sonicMatch = objectTable<MatchedSong, undefined>('sonicMatch', [
  match.one('entry', songChild, ({ view }) => view),
  match.num('similarity', ({ similarity }) => similarity),
]);
