import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { apiFacts, factsText } from './api-facts.mjs';
import { shapeOf, xmlTypes } from './api-shapes.mjs';

const root = join(fileURLToPath(import.meta.url), '..', '..', '..', '..');
const specification = join(root, '..', 'shared', 'spec');
const folder = join(root, 'contracts', 'api');

describe('the notation of shapes', () => {
  it('keeps what is required, allowed and possible', () => {
    const schema = {
      type: 'object',
      required: ['id'],
      properties: {
        id: { type: 'string', nullable: true },
        kind: { enum: ['a', 'b'] },
        rating: { type: 'integer', minimum: 1, maximum: 5 },
        songs: { type: 'array', items: { $ref: '#/components/schemas/Song' } },
        map: { type: 'object', additionalProperties: { type: 'string' } },
      },
      additionalProperties: false,
    };
    expect(shapeOf(schema, true)).toEqual({
      id: 'string|null',
      'kind?': "'a'|'b'",
      'rating?': 'integer 1..5',
      'songs?': 'Song[]',
      'map?': { '...': 'string' },
    });
  });
  it('has attributes and elements of XML types', () => {
    const list = '<xs:sequence><xs:element name="song" type="sub:Child" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>';
    const attribute = '<xs:attribute name="id" type="xs:int" use="required"/>';
    expect(xmlTypes(`<xs:complexType name="Songs">${list}${attribute}</xs:complexType>`)).toEqual({
      Songs: { 'song*': 'Child', '@id': 'int' },
    });
  });
});

describe.skipIf(!existsSync(specification))('contracts/api', () => {
  it('is what tools/checks/api-facts.mjs makes of the specification beside the repository', () => {
    const facts = apiFacts((path) => readFileSync(join(specification, path), 'utf8'));
    const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
    expect(files.toSorted()).toEqual(
      Object.keys(facts)
        .map((name) => `${name}.json`)
        .toSorted(),
    );
    const changed = Object.entries(facts).filter(([name, rows]) => readFileSync(join(folder, `${name}.json`), 'utf8') !== factsText(rows));
    expect(changed.map(([name]) => name)).toEqual([]);
  });
});
