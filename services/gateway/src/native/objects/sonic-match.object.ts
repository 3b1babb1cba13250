import { objectTable, rowsOf } from '../../render/index.js';
import type { NativeContext } from './context.js';
import { songObject, type NativeSong } from './song.object.js';

/** A song that sounds like another one. */
export interface NativeSonicMatch extends NativeSong {
  /** 1: the same; 0: nothing alike; -1: not known. */
  readonly similarity: number;
}

const of = rowsOf<NativeSonicMatch, NativeContext>();

/** versions.md sections 6 and 7.1: in JSON the song's own fields and one more, in XML an element around the song. */
export const sonicMatchObject = objectTable<NativeSonicMatch, NativeContext>('sonic_match', [
  ...songObject.rows.map((row) => ({ ...row, place: { ...row.place, xml: 'none' as const } })),
  of.num('similarity', ({ similarity }) => similarity, { xml: 'attribute' }),
  of.object('song', songObject, (match) => match, { json: 'none' }),
]);
