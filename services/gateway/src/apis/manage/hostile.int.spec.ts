import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleOf } from '../../../test/manage/example-input.js';
import { startManagedGateway } from '../../../test/manage/managed-gateway.js';
import type { OperatedGateway } from '../../../test/manage/operated-gateway.js';
import { testAccounts } from '../../../test/servers/test-gateway.js';
import type { OperationRow } from './operation.js';
import { problemSchema } from './problems.js';
import { operations } from './registry/index.js';

/* Made-up input for every operation, derived from its row: it is answered, or refused as a problem, and never a fault of the server. */

const RUNS = 20;
let server: OperatedGateway;
beforeAll(async () => {
  server = await startManagedGateway();
});
afterAll(() => server.stop());

const odd = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('0', '-1', '1e3', '99999999999', '%00', '..', 'a'.repeat(300), 'a'.repeat(3000), '\u0000', '1', 'a'),
);

/** An example of the body with some fields exchanged. */
const bodyOf = ({ body }: OperationRow<never>): fc.Arbitrary<unknown> => {
  const example = body ? (exampleOf(body) as Record<string, unknown>) : {};
  const names = Object.keys(example);
  const changed = fc
    .dictionary(names.length > 0 ? fc.constantFrom(...names, 'x') : fc.string({ maxLength: 5 }), fc.oneof(odd, fc.jsonValue()))
    .map((changes) => ({ ...example, ...changes }));
  return fc.oneof(changed, fc.jsonValue());
};

const requestOf = (row: OperationRow<never>) =>
  fc.record({
    path: fc.array(odd, { minLength: 3, maxLength: 3 }),
    query: fc.dictionary(fc.constantFrom(...Object.keys(row.query.shape), 'x'), odd),
    body: bodyOf(row),
    headers: fc.dictionary(fc.constantFrom('if-match', 'if-none-match', 'idempotency-key'), fc.constantFrom('"a"', '*', 'W/"a"', ',', 'x')),
  });

describe.each(Object.entries(operations).map(([name, row]) => ({ name, row: row as OperationRow<never> })))('$name', ({ row }) => {
  it('answers made-up input, or refuses it as a problem', async () => {
    await fc.assert(
      fc.asyncProperty(requestOf(row), async ({ path, query, body, headers }) => {
        let at = 0;
        const url = row.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent((path[at++] ?? '').toWellFormed()));
        const answer = await server.gateway.app.inject({
          method: row.method,
          url: `/manage/v1${url}?${new URLSearchParams(query).toString()}`,
          headers: {
            authorization: `Bearer ${testAccounts.admin.token}`,
            ...headers,
            ...(row.body ? { 'content-type': 'application/json' } : {}),
          },
          ...(row.body ? { payload: JSON.stringify(body) } : {}),
        });
        expect(answer.statusCode).toBeLessThan(500);
        if (answer.statusCode < 400) return;
        expect(String(answer.headers['content-type'])).toBe('application/problem+json; charset=utf-8');
        expect(problemSchema.strict().parse(answer.json()).status).toBe(answer.statusCode);
      }),
      { numRuns: RUNS },
    );
  });
});
