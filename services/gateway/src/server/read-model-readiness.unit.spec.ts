import { readModelVersions } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { missingTables } from './read-model-readiness.js';

const all = new Map<string, number>(Object.entries(readModelVersions));
const without = (name: string): ReadonlyMap<string, number> => new Map([...all].filter(([known]) => known !== name));

describe('what a gateway needs of the read model', () => {
  it('is the tables of its own release', () => {
    expect(missingTables(all)).toEqual([]);
    expect(missingTables(without('library-catalogue'))).toEqual(['library-catalogue is not there']);
  });
  it('is met by tables of a newer release, and not by those of an older one', () => {
    expect(missingTables(new Map([...all].map(([name, version]) => [name, version + 1])))).toEqual([]);
    expect(missingTables(all, { 'library-catalogue': readModelVersions['library-catalogue'] + 1 })).toHaveLength(1);
  });
  it('is met without services that a server may do without', () => {
    expect(missingTables(without('sonic-songs'))).toEqual([]);
  });
});
