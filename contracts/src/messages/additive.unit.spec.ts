import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as contracts from '../index.js';

interface Sent {
  readonly subject: string;
  readonly schema: z.ZodType;
  readonly result?: z.ZodType;
}

const isSent = (value: unknown): value is Sent => typeof value === 'object' && value !== null && 'subject' in value && 'schema' in value;

/** Where a schema refuses fields that it does not know. */
const closedPlaces = (schema: z.ZodType): string[] => {
  const places: string[] = [];
  const look = (node: unknown, place: string): void => {
    if (typeof node !== 'object' || node === null) return;
    const { additionalProperties } = node as { additionalProperties?: unknown };
    if (additionalProperties === false) places.push(place);
    for (const [name, inner] of Object.entries(node)) look(inner, `${place}.${name}`);
  };
  look(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), 'data');
  return places;
};

describe('commands, jobs and their answers', () => {
  const sent = Object.values<unknown>(contracts).filter(isSent);

  it('are many', () => expect(sent.length).toBeGreaterThan(50));

  it.each(sent.map((one) => [one.subject, one] as const))('%s: takes fields of a newer release', (_, { schema, result }) => {
    expect([...closedPlaces(schema), ...(result ? closedPlaces(result) : [])]).toEqual([]);
  });
});
