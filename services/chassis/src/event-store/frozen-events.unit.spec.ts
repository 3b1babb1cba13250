import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { definitionOf, publishedEvents, upcastPublished } from './catalogue.js';

interface Frozen {
  readonly type: string;
  readonly v: number;
  readonly examples: readonly unknown[];
}

const folder = fileURLToPath(new URL('../../../../contracts/golden/events/', import.meta.url));
const names = readdirSync(folder);
const frozen = names.map((name): [string, Frozen] => [name, JSON.parse(readFileSync(`${folder}${name}`, 'utf8')) as Frozen]);

describe('events that releases wrote', () => {
  it('are kept for every type in its newest version: node tools/release/freeze-events.mjs writes those of a new one', () => {
    expect(publishedEvents().filter(({ type, v }) => !names.includes(`${type}.${v}.json`))).toEqual([]);
  });

  it.each(frozen)('are read: %s', (name, { type, v, examples }) => {
    expect([name, examples.length > 0]).toEqual([`${type}.${v}.json`, true]);
    const definition = definitionOf(type);
    for (const example of examples) {
      const read = upcastPublished(type, v, example);
      // A field that is gone from the schema would be missing here.
      expect([read.v, definition?.schema.parse(read.data)]).toEqual([definition?.v, read.data]);
    }
  });
});
