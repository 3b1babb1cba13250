import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasSpecification, specificationFile } from '../../api-facts/specification.js';
import { quirks } from './quirk-table.js';

/** Clients and sources of the published collection, in its order; the rest of its lines is not looked at. */
const published = (): { client: string; sources: string }[] => {
  let client = '';
  return specificationFile('compat/client-quirks.md')
    .split('\n')
    .flatMap((line) => {
      client = /^## (?<name>.*)$/.exec(line)?.groups?.['name'] ?? client;
      const sources = /^- .*\[(?<sources>[^\]]+)\]\s*$/.exec(line)?.groups?.['sources'];
      return sources === undefined ? [] : [{ client, sources }];
    });
};

it.skipIf(hasSpecification)('is NOT compared: the published habits (../shared/spec) are not here', () => undefined);

describe.skipIf(!hasSpecification)('habits of clients', () => {
  it('have a row each', () => {
    const lines = published();
    expect(quirks.map(({ sources }) => sources)).toEqual(lines.map(({ sources }) => sources));
    expect(quirks.filter(({ client }, index) => !lines[index]?.client.startsWith(client))).toEqual([]);
  });
});

describe('what honours a habit', () => {
  it('is a test that there is', () => {
    const missing = quirks.filter(({ honoured }) => {
      if ('because' in honoured) return honoured.because === '';
      return !readFileSync(new URL(`../../../${honoured.spec}`, import.meta.url), 'utf8').includes(honoured.test);
    });
    expect(missing).toEqual([]);
  });
});
