import { songOf } from '../expected.js';
import type { CorpusCase, Materials } from './case.js';

/** Every kind of sound without tags: what a scan says of it, and what it makes of names alone. */
export const soundCases = ({ sounds }: Materials): CorpusCase[] =>
  [...sounds].map(([name, sound]) => {
    const path = `sounds/Album ${name}/05 - Song.${sound.suffix}`;
    const song = songOf({ title: 'Song', artist: '[Unknown Artist]', album: `Album ${name}` }, { track: 5 });
    return { row: 'formats', files: [{ path, bytes: sound.bytes }], songs: [{ path, sound: name, song }] };
  });
