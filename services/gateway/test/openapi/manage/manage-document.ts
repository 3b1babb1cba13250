import { z } from 'zod';
import { MANAGE_PREFIX } from '../../../src/apis/manage/handle.js';
import type { OperationRow } from '../../../src/apis/manage/operation.js';
import { problemSchema, statusOfProblem } from '../../../src/apis/manage/problems.js';
import { operations } from '../../../src/apis/manage/registry/index.js';
import { productVersion } from '@continuo/chassis';
import { accessSentence, tagsOf, type OpenApiDocument, type Operation, type Paths } from '../document.js';
import { isRequired } from '../parameters.js';
import type { Schema } from '../schema-set.js';

type Row = OperationRow<never>;

/** Collects the named schemas of zod schemas, and rewrites references to them. */
class NamedSchemas {
  readonly #schemas = new Map<string, Schema>();
  readonly #answered = new Set<string>();

  get components(): Readonly<Record<string, Schema>> {
    return Object.fromEntries([...this.#schemas].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** JSON schema of what a request sends (`input`) or an answer holds (`output`). */
  of(schema: z.ZodType, io: 'input' | 'output'): Schema {
    // Inside an object also a named schema becomes a reference.
    const json = z.toJSONSchema(z.object({ root: schema }), { io, unrepresentable: 'any' }) as unknown as {
      $defs?: Record<string, Schema>;
      properties: { root: Schema };
    };
    // Answers are read first: what is sent may differ from what is answered under one name.
    const renamed = new Map(
      Object.entries(json.$defs ?? {}).map(([name]) => [name, io === 'input' && this.#answered.has(name) ? `${name}Input` : name]),
    );
    const moved = (part: Schema): Schema =>
      JSON.parse(
        JSON.stringify(part).replaceAll(
          /"#\/\$defs\/(?<name>[^"]+)"/g,
          (_, name: string) => `"#/components/schemas/${renamed.get(name) ?? name}"`,
        ),
      ) as Schema;
    for (const [name, own] of Object.entries(json.$defs ?? {})) {
      const { id: _id, ...rest } = moved(own);
      if (io === 'output') this.#answered.add(name);
      this.#schemas.set(renamed.get(name) ?? name, rest);
    }
    return moved(json.properties.root);
  }
}

const fieldsOf = (schema: z.ZodObject, place: 'path' | 'query', named: NamedSchemas): object[] =>
  Object.entries(schema.shape).map(([name, field]) => ({
    name,
    in: place,
    ...(place === 'path' || isRequired(field as z.ZodType) ? { required: true } : {}),
    schema: named.of(field as z.ZodType, 'input'),
  }));

const header = (name: string, description: string): object => ({ name, in: 'header', description, schema: { type: 'string' } });
const KEY = header('Idempotency-Key', 'A repetition with the same key within 24 hours gets the same answer.');
const IF_MATCH = header('If-Match', 'The `ETag` of the resource; a stale one is answered 412.');
const IF_NONE_MATCH = header('If-None-Match', 'The known `ETag`; an unchanged resource is answered 304.');

const headersOf = ({ method, tagged }: Row): object[] => {
  if (method === 'POST') return [KEY];
  if (method !== 'GET') return [IF_MATCH];
  return tagged ? [IF_NONE_MATCH] : [];
};

/** Statuses of refusals that every operation has. */
const USUAL = [400, 401, 403, 429, 500, 503];
const ofMethod = ({ method, path }: Row): number[] => [
  ...(path.includes('{') ? [404] : []),
  ...(method === 'POST' ? [409, 413, 415, 422] : []),
  ...(method === 'PUT' || method === 'PATCH' || method === 'DELETE' ? [409, 412, 413, 415] : []),
];

const responsesOf = (row: Row, named: NamedSchemas): object => {
  const headers = {
    ...(row.tagged ? { ETag: { schema: { type: 'string' } } } : {}),
    ...(row.locate ? { Location: { description: 'Address of what was made or started.', schema: { type: 'string' } } } : {}),
  };
  const content = row.bytes
    ? { [row.bytes]: { schema: { type: 'string', format: 'binary' } } }
    : row.answer && { 'application/json': { schema: named.of(row.answer, 'output') } };
  const success = {
    description: content ? 'The answer.' : 'Done.',
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(content && { content }),
  };
  const problem = { $ref: '#/components/responses/Problem' };
  const statuses = new Set([...USUAL, ...ofMethod(row), ...row.errors.map(statusOfProblem)]);
  const unchanged = row.tagged && row.method === 'GET' ? { 304: { description: 'Unchanged.' } } : {};
  return {
    [row.status]: success,
    ...unchanged,
    ...Object.fromEntries([...statuses].toSorted((a, b) => a - b).map((status) => [status, problem])),
    default: problem,
  };
};

const operationOf = (name: string, row: Row, named: NamedSchemas): Operation => ({
  operationId: name,
  summary: row.summary,
  description: [row.description, accessSentence(row.level), `A key with scopes needs \`${row.scope}\`.`].filter(Boolean).join(' '),
  tags: [row.family],
  parameters: [...fieldsOf(row.params, 'path', named), ...fieldsOf(row.query, 'query', named), ...headersOf(row)],
  ...(row.body ? { requestBody: { required: true, content: { 'application/json': { schema: named.of(row.body, 'input') } } } } : {}),
  responses: responsesOf(row, named),
});

const DESCRIPTION = `What operators do, as REST with JSON. Log in with an API key or a session as a Bearer token; a key may be limited to scopes. \
Errors are problems (RFC 9457). Lists are paged: \`nextCursor\` is the \`cursor\` of the next page, null on the last one.`;

/** OpenAPI document of the management API. */
export const manageDocument = (): OpenApiDocument => {
  const named = new NamedSchemas();
  for (const { answer } of Object.values(operations)) if (answer) named.of(answer, 'output');
  const paths: Paths = {};
  for (const [name, row] of Object.entries(operations).toSorted(([, a], [, b]) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)))
    (paths[row.path] ??= {})[row.method.toLowerCase()] = operationOf(name, row, named);
  const problem = named.of(problemSchema, 'output');
  return {
    openapi: '3.1.1',
    info: { title: 'Continuo management API', version: productVersion, description: DESCRIPTION },
    servers: [{ url: MANAGE_PREFIX }],
    tags: tagsOf(paths),
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'API key or session token.' } },
      responses: { Problem: { description: 'A problem.', content: { 'application/problem+json': { schema: problem } } } },
      schemas: named.components,
    },
  };
};
