import { nativeObject } from './native-object.js';
import { songObject, type NativeSong } from './song.object.js';

/** A similar-sounding song. */
export interface NativeSonicMatch extends NativeSong {
  /** 1: identical; 0: not similar; -1: unknown. */
  readonly similarity: number;
}

/** Fields of a match: in JSON those of the song and one more, in XML an element around the song. */
export const sonicMatchObject = nativeObject<NativeSonicMatch>('sonic_match', (of) => [
  ...songObject.rows.map((row) => ({ ...row, place: { ...row.place, xml: 'none' as const } })),
  of.num('similarity', ({ similarity }) => similarity, { xml: 'attribute' }),
  of.object('song', songObject, (match) => match, { json: 'none' }),
]);
