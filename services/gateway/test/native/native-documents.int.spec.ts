import { afterAll, beforeAll, describe, it } from 'vitest';
import { create } from 'xmlbuilder2';
import { expectGolden } from '../goldens/golden.js';
import { testAccounts } from '../servers/test-gateway.js';
import { listenerCases, unauthenticatedCases } from '../calls/native/caller.cases.js';
import { cases } from '../calls/native/cases.js';
import { DocumentWorld } from './document-world.fixture.js';

let world: DocumentWorld;

beforeAll(async () => {
  world = await DocumentWorld.start();
});
afterAll(() => world.stop());

const forms = [
  ...([8, 6, 5, 4] as const).flatMap((version) => (['json', 'xml'] as const).map((format) => ({ version, format }))),
  // Version 3 has no JSON of its own.
  { version: 3, format: 'xml' },
] as const;

const callers = [
  ['an administrator', undefined, cases],
  ['nobody', '', unauthenticatedCases],
  ['a listener', testAccounts.listener.token, listenerCases],
] as const;

describe.each(forms)('version $version in $format', ({ version, format }) => {
  describe.each(callers)('asked by %s', (_caller, token, calls) => {
    it.each(Object.entries(calls))('%s', async (name, query) => {
      const body = await world.call(version, format, query, token);
      // Both forms must be readable whatever the fixtures hold.
      if (format === 'json') JSON.parse(body);
      else create(body);
      expectGolden('native', name, { format, variant: version }, body);
    });
  });
});
