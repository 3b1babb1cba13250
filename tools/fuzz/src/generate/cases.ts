import fc from 'fast-check';
import type { Step } from '../wire/step.js';
import { compatCall, compatReading, compatStory, compatUnknown } from './compat-calls.js';
import { manageCall, manageReading } from './manage-calls.js';
import { nativeCall, nativeReading, nativeStory } from './native-calls.js';
import { pageCall } from './page-calls.js';
import { rawCall } from './raw-calls.js';
import { restCall } from './rest-calls.js';
import type { Known } from './values.js';

/** Some requests one after the other; later ones may name what earlier ones made. */
export type FuzzCase = readonly Step[];

const single = (call: fc.Arbitrary<Step>): fc.Arbitrary<FuzzCase> => call.map((step) => [step]);

/** Cases of all surfaces, as often as they have something to get wrong. */
export const caseArbitrary = (known: Known): fc.Arbitrary<FuzzCase> =>
  fc.oneof(
    { weight: 30, arbitrary: single(nativeCall(known)) },
    { weight: 6, arbitrary: nativeStory(known) },
    { weight: 10, arbitrary: single(restCall(known)) },
    { weight: 22, arbitrary: single(compatCall(known)) },
    { weight: 4, arbitrary: compatStory(known) },
    { weight: 2, arbitrary: single(compatUnknown) },
    { weight: 20, arbitrary: single(pageCall(known)) },
    { weight: 20, arbitrary: single(manageCall(known)) },
    { weight: 2, arbitrary: single(rawCall) },
  );

/** Cases that only read: none of them may leave anything in the log. */
export const readingCase = (known: Known): fc.Arbitrary<FuzzCase> =>
  fc.oneof(
    { weight: 3, arbitrary: single(nativeReading(known)) },
    { weight: 2, arbitrary: single(compatReading(known)) },
    { weight: 1, arbitrary: single(manageReading(known)) },
  );
