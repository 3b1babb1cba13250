import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sourcesOf, specsOf } from './group-of-environment.mjs';
import { groups } from './groups.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Paths of files that were moved or renamed would change nothing any more. */
describe.each(Object.entries(groups))('the group %s', (_name, { mutate, specs }) => {
  it.each(mutate)('changes files at %s', (glob) => expect(sourcesOf({ mutate: [glob] }, root)).not.toEqual([]));

  it.each(specs)('runs specs at %s', (glob) => expect(specsOf({ specs: [glob] }, root)).not.toEqual([]));
});
