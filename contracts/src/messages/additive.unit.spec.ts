import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as contracts from '../index.js';

interface Sent {
  readonly schema: z.ZodType;
  readonly result?: z.ZodType;
  readonly answer?: z.ZodType;
}

const isSent = (value: unknown): value is Sent =>
  typeof value === 'object' && value !== null && 'schema' in value && ('subject' in value || 'answer' in value);

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

describe('commands, jobs, queries and their answers', () => {
  const sent = Object.entries<unknown>(contracts).flatMap(([name, one]) => (isSent(one) ? [[name, one] as const] : []));

  it('are many', () => expect(sent.length).toBeGreaterThan(50));

  it.each(sent)('%s: takes fields of a newer release', (_, { schema, result, answer }) => {
    expect([schema, result, answer].flatMap((one) => (one ? closedPlaces(one) : []))).toEqual([]);
  });
});
