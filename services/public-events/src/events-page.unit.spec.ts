import { readFileSync } from 'node:fs';
import { allPublicEventTypes } from '@continuo/contracts';
import { expect, it } from 'vitest';

const page = readFileSync(new URL('../../../docs/operate/events.md', import.meta.url), 'utf8');

it('docs/operate/events.md lists exactly what can be told', () => {
  const table = page.slice(page.indexOf('| Type | When |'), page.indexOf('Who wants events names'));
  const listed = table.split('\n').flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([a-z_.]+)`/g)].map(([, type]) => type));
  expect(new Set(listed)).toEqual(new Set(allPublicEventTypes));
});
