import { okTable, PROTOCOL_VERSION } from '../../../src/apis/compat/documents.js';
import { extended, type CompatPolicy } from '../../../src/apis/compat/policy.js';
import { PRODUCT } from '../../../src/apis/compat/product.js';
import { endpointOf } from '../../../src/apis/compat/registry/registry.js';
import { operationNames, type OperationName } from '../../../src/apis/compat/registry/names.js';
import type { AnyTable } from '../../../src/render/index.js';
import { accessSentence, exampleOf, tagsOf, type Examples, type OpenApiDocument, type Operation, type Paths } from '../document.js';
import { parametersOfShape, type DescribedParameter } from '../parameters.js';
import { anyOf, objectSchema, SchemaSet, type Schema } from '../schema-set.js';
import { operationSummaries } from './operation-summaries.js';

const ROOT = 'subsonic-response';
const MEDIA: Schema = { type: 'string', format: 'binary' };

interface Envelope {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
}

const wrapped = (envelope: Schema): Schema => objectSchema({ [ROOT]: envelope });

/** Schema of a successful answer: the envelope with its payload and without an error. */
const successOf = (table: AnyTable, schemas: SchemaSet): Schema => {
  const { properties, required } = schemas.inline(table) as unknown as Envelope;
  const { error: _error, ...others } = properties;
  const optional = Object.keys(others).filter((name) => !required.includes(name));
  return wrapped(objectSchema({ ...others, status: { const: 'ok' } }, optional));
};

/** Schema of a failure, the same for every operation. */
const failureOf = (schemas: SchemaSet): Schema => {
  const { properties } = schemas.inline(okTable) as unknown as Envelope;
  return schemas.named('Failure', wrapped(objectSchema({ ...properties, status: { const: 'failed' } })));
};

/** Schema of the JSON answers of an operation; that of failures for media. */
const answerOf = (name: OperationName, schemas: SchemaSet): Schema => {
  const row = endpointOf(name);
  const failure = failureOf(schemas);
  return row.kind === 'binary' ? failure : anyOf([successOf(row.table, schemas), failure]);
};

/** Parameters that every call has. */
const common = [
  { name: 'c', in: 'query', required: true, description: 'Name of the client.', schema: { type: 'string' } },
  { name: 'v', in: 'query', description: 'Protocol version of the client.', schema: { type: 'string', default: PROTOCOL_VERSION } },
  {
    name: 'f',
    in: 'query',
    required: true,
    description: 'Format of the answer; XML without it, which this document does not describe.',
    schema: { enum: ['json'] },
  },
] as const;

const refersTo = ({ name }: (typeof common)[number]): object => ({ $ref: `#/components/parameters/${name}` });

const inQuery = ({ name, isRequired, schema }: DescribedParameter): object => ({
  name,
  in: 'query',
  ...(isRequired ? { required: true } : {}),
  ...(schema['type'] === 'array' ? { style: 'form', explode: true } : {}),
  schema,
});

const operationOf = (name: OperationName, schemas: SchemaSet, examples: Examples): Operation => {
  const row = endpointOf(name);
  const isMedia = row.kind === 'binary';
  const json = { schema: answerOf(name, schemas), ...exampleOf(examples, name) };
  const content = isMedia
    ? { 'application/octet-stream': { schema: MEDIA }, '*/*': { schema: MEDIA }, 'application/json': json }
    : { 'application/json': json };
  const role = row.access !== 'public' && row.access.role ? ` Needs the role \`${row.access.role}\`.` : '';
  const noClient = common.filter(({ name: one }) => row.kind !== 'public' || one === 'f');
  return {
    operationId: name.replace('.', '_'),
    summary: operationSummaries[name],
    description: `${accessSentence(row.access === 'public' ? 0 : row.access.level)}${role}`,
    tags: [tagOf(name)],
    ...(row.kind === 'public' ? { security: [] } : {}),
    parameters: [...noClient.map(refersTo), ...parametersOfShape(row.fields).map(inQuery)],
    responses: {
      200: { description: isMedia ? 'The file, or an error in its envelope.' : 'The answer, or an error.', content },
      default: { $ref: '#/components/responses/Failure' },
    },
  };
};

const tags: readonly (readonly [RegExp, string])[] = [
  [/podcast/i, 'podcasts'],
  [/playqueue|nowplaying|scrobble|reportPlayback|bookmark|jukebox/i, 'playing'],
  [/playlist/i, 'playlists'],
  [/share/i, 'shares'],
  [/user|password|tokeninfo|avatar/i, 'accounts'],
  [/star|rating/i, 'favourites'],
  [/radio/i, 'radio'],
  [/stream|download|coverart|captions|hls|transcode/i, 'media'],
  [/search/i, 'search'],
  [/chat/i, 'chat'],
  [/scan|ping|license|extensions/i, 'server'],
];

const tagOf = (name: OperationName): string => tags.find(([pattern]) => pattern.test(name))?.[1] ?? 'library';

const DESCRIPTION = `The OpenSubsonic API in JSON, protocol version ${PROTOCOL_VERSION} with its extensions. Calls may be GET, or POST with \
the parameters as a form. Answers have status 200 and errors are told in their envelope; some media operations answer errors with a status. \
Log in with an API key, or with a name and either a password or a salted token.`;

const query = (name: string, description: string): object => ({ type: 'apiKey', in: 'query', name, description });

/** OpenAPI document of the compatibility API; that of the legacy form is not published. */
export const compatDocument = (examples: Examples, { profile }: CompatPolicy = extended): OpenApiDocument => {
  const schemas = new SchemaSet(profile);
  const paths: Paths = {};
  for (const name of operationNames.toSorted()) paths[`/rest/${name}`] = { get: operationOf(name, schemas, examples) };
  return {
    openapi: '3.1.1',
    info: { title: 'Continuo compatibility API', version: PRODUCT.version, description: DESCRIPTION },
    servers: [{ url: '/' }],
    tags: tagsOf(paths),
    security: [{ apiKey: [] }, { user: [], password: [] }, { user: [], token: [], salt: [] }],
    paths,
    components: {
      securitySchemes: {
        apiKey: query('apiKey', 'API key of an account.'),
        user: query('u', 'Name of the account.'),
        password: query('p', 'Password, or `enc:` and its bytes in hexadecimal.'),
        token: query('t', 'MD5 of password and salt.'),
        salt: query('s', 'Random text.'),
      },
      parameters: Object.fromEntries(common.map((parameter) => [parameter.name, parameter])),
      responses: { Failure: { description: 'An error.', content: { 'application/json': { schema: failureOf(schemas) } } } },
      schemas: schemas.components,
    },
  };
};

/** Schema of the JSON answers of an operation in a form; it refers to the components of the form's document. */
export const compatAnswerSchema = ({ profile }: CompatPolicy, name: OperationName): Schema => answerOf(name, new SchemaSet(profile));
