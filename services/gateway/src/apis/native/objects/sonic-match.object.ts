import { objectTable, rowsOf } from '../../../render/index.js';
import type { NativeContext } from './context.js';
import { songObject, type NativeSong } from './song.object.js';

/** A similar-sounding song. */
export interface NativeSonicMatch extends NativeSong {
  /** 1: identical; 0: not similar; -1: unknown. */
  readonly similarity: number;
}

const of = rowsOf<NativeSonicMatch, NativeContext>();

/** Fields of a match: in JSON those of the song and one more, in XML an element around the song. */
export const sonicMatchObject = objectTable<NativeSonicMatch, NativeContext>('sonic_match', [
  ...songObject.rows.map((row) => ({ ...row, place: { ...row.place, xml: 'none' as const } })),
  of.num('similarity', ({ similarity }) => similarity, { xml: 'attribute' }),
  of.object('song', songObject, (match) => match, { json: 'none' }),
]);
