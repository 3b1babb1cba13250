import { operationNames, type OperationName } from '../../../src/apis/compat/registry/names.js';
import type { Case, Cases, EndpointCases } from './case.js';
import { libraryCases } from './library.cases.js';
import { peopleCases } from './people.cases.js';
import { playingCases } from './playing.cases.js';

/**
 * Cases of every operation: each has calls of all five kinds, or the reason why there can be none. Suites run all of them in both forms and formats
 * against the published descriptions; an operation without its row does not compile.
 */
export const endpointCases: Readonly<Record<OperationName, EndpointCases>> = { ...libraryCases, ...peopleCases, ...playingCases };

const listed = (cases: Cases): readonly Case[] => (typeof cases === 'string' ? [] : cases);

/** A call with a golden file. */
export interface GoldenCase {
  /** Name of the file in contracts/golden/compat. */
  readonly name: string;
  readonly operation: string;
  readonly one: Case;
}

const goldens: readonly GoldenCase[] = [
  ...operationNames.flatMap((operation) =>
    Object.values<Cases>({ ...endpointCases[operation] })
      .flatMap(listed)
      .flatMap((one) => {
        const name = [operation.replace('.m3u8', ''), one.golden].filter((part) => part !== '').join('-');
        return one.golden === undefined ? [] : [{ name, operation, one }];
      }),
  ),
  { name: 'hls-missing', operation: 'hls', one: {} },
  { name: 'error-10', operation: 'getSong', one: {} },
  { name: 'error-70', operation: 'getSong', one: { params: { id: 'so-999' } } },
  { name: 'error-unknown-operation', operation: 'getEverything', one: {} },
];

/** Calls with golden files, of the jukebox, which needs a player, and of all others. */
export const compatGoldens = {
  jukebox: goldens.filter(({ operation }) => operation === 'jukeboxControl'),
  documents: goldens.filter(({ operation }) => operation !== 'jukeboxControl'),
};
