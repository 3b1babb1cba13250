import { compatTable, nativeTable } from '@continuo/gateway/tables';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { surfaceNames } from '../wire/step.js';
import { caseArbitrary, readingCase } from './cases.js';
import { harmless } from './hostile.js';
import { manageOperations } from './manage-document.js';
import type { Known } from './values.js';

const known: Known = {
  ids: ['1', '2'],
  names: ['usual'],
  accounts: ['fuzz-user', 'onlooker'],
  compatIds: ['so-1'],
  addresses: [],
  traps: [],
};
const SEED = 5;
const steps = fc.sample(caseArbitrary(known), { seed: SEED, numRuns: 8000 }).flat();

describe('cases', () => {
  it('are the same for the same seed', () => {
    expect(fc.sample(caseArbitrary(known), { seed: SEED, numRuns: 50 })).toEqual(
      fc.sample(caseArbitrary(known), { seed: SEED, numRuns: 50 }),
    );
  });

  it('meet every surface, every action and every operation', () => {
    expect(new Set(steps.map(({ surface }) => surface))).toEqual(new Set(surfaceNames));
    const met = new Set(steps.map(({ what }) => what));
    expect([...nativeTable, ...compatTable, ...manageOperations].map(({ name }) => name).filter((name) => !met.has(name))).toEqual([]);
  });

  it('give administrators nothing that would take away what the campaign stands on', () => {
    const dangerous = steps.filter(
      ({ what, caller }) => caller === 'admin' && /^(?:user_delete|catalog_delete|deleteUser|changePassword)$/.test(what),
    );
    expect(dangerous.length).toBeGreaterThan(5);
    const values = dangerous.flatMap(({ query, body }) => [...query, ...('pairs' in body ? body.pairs : [])].map(({ value }) => value));
    expect(values.filter((value) => ['1', '2', ...known.accounts].includes(value))).toEqual([]);
    expect(harmless({ value: ' 007' }).value).not.toContain('7');
    expect(harmless({ value: '%31', raw: true })).not.toMatchObject({ raw: true });
  });

  it('that read say so by GET, without a body', () => {
    for (const step of fc.sample(readingCase(known), { seed: SEED, numRuns: 500 }).flat()) {
      expect([step.method, step.body.kind]).toEqual(['GET', 'none']);
      expect(step.what).not.toMatch(/_(?:create|edit|delete)$|^(?:create|update|delete(?!d)|star(?!red)|scrobble)/);
    }
  });
});
