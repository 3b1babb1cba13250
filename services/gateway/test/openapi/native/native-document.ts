import { actionNamed, methods } from '../../../src/apis/native/registry/index.js';
import type { ActionName } from '../../../src/apis/native/registry/index.js';
import { statusByCode } from '../../../src/apis/native/errors/native-errors.js';
import { POSITIONS_SINCE } from '../../../src/apis/native/paging.js';
import { restCallOf, type RestVerb } from '../../../src/apis/native/rest/routes.js';
import { productVersion } from '@continuo/chassis';
import { v6 } from '../../../src/apis/native/versions/v6.js';
import { v8 } from '../../../src/apis/native/versions/v8.js';
import { accessSentence, exampleOf, tagsOf, type Examples, type OpenApiDocument, type Operation, type Paths } from '../document.js';
import { parametersOf, type DescribedParameter } from '../parameters.js';
import { anyOf, objectSchema, SchemaSet, type Schema } from '../schema-set.js';
import { actionDescriptions } from './action-descriptions.js';

const policies = { 8: v8, 6: v6 } as const;
/** Versions of the native API that have a document. */
export type DescribedVersion = keyof typeof policies;

/** A verb and a path of the REST form, with variables in braces. */
export interface PathTemplate {
  readonly verb: RestVerb;
  readonly path: string;
}

/** An action at a path: its fixed parameters, and the variables by the parameters that they fill. */
interface Route extends PathTemplate {
  readonly action: ActionName;
  readonly fixed: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string>>;
}

const VARIABLE = /\{(?<name>\w+)\}/g;
const PLACEHOLDER = '7';

/** Route of a template in a version; undefined when the version does not serve it. */
const routeOf = ({ verb, path }: PathTemplate, version: DescribedVersion): Route | undefined => {
  const call = restCallOf(verb, path.replaceAll(VARIABLE, PLACEHOLDER), version);
  const action = call && actionNamed(call.action);
  if (!call || action === undefined || !methods[action].versions.includes(version) || (call.since ?? 0) > version) return undefined;
  const names = [...path.matchAll(VARIABLE)].map(({ groups }) => groups?.['name'] ?? '');
  const filled = Object.entries(call.params).filter(([, value]) => value === PLACEHOLDER);
  const variables = Object.fromEntries(filled.map(([name], index) => [name, names[index] ?? name]));
  const fixed = Object.fromEntries(Object.entries(call.params).filter(([name]) => !(name in variables)));
  return { verb, path, action, fixed, variables };
};

/** Routes of actions that have no path of their own: their name is a path. */
const plainRoutes = (known: readonly Route[], version: DescribedVersion): Route[] => {
  const served = new Set(known.map(({ action }) => action));
  return (Object.keys(methods) as ActionName[])
    .filter((action) => methods[action].versions.includes(version) && !served.has(action))
    .flatMap(
      (action) =>
        routeOf({ verb: action.includes('_add') || action.includes('_update') ? 'POST' : 'GET', path: `/${action}` }, version) ?? [],
    );
};

/** Paths with a variable of several segments cannot be described. */
const SEVERAL_SEGMENTS = '{path}';

const routesOf = (templates: readonly PathTemplate[], version: DescribedVersion): Route[] => {
  const described = templates
    .filter(({ path }) => !path.includes(SEVERAL_SEGMENTS))
    .flatMap((template) => routeOf(template, version) ?? []);
  const distinct = [...new Map(described.map((route) => [`${route.verb} ${route.path}`, route])).values()];
  return [...distinct, ...plainRoutes(distinct, version)];
};

const MEDIA: Schema = { type: 'string', format: 'binary' };

const errorSchema: Schema = objectSchema({
  error: objectSchema({
    errorCode: { enum: Object.keys(statusByCode), description: 'Code of the error.' },
    errorAction: { type: 'string', description: 'Action that failed.' },
    errorType: { type: 'string', description: 'Parameter that is wrong, or `account` or `system`.' },
    errorMessage: { type: 'string' },
  }),
});

/** Parameters that a request of a version at a route may send, without those of its path. */
const parametersAt = ({ action, fixed, variables }: Route, version: number): DescribedParameter[] => {
  const more = Object.entries(actionDescriptions[action].more ?? {}).map(([name, schema]) => ({ name, schema, isRequired: false }));
  return [...parametersOf(methods[action].schema), ...more].filter(
    ({ name }) => !(name in fixed) && !(name in variables) && (version >= POSITIONS_SINCE || name !== 'positions'),
  );
};

const bodyOf = (parameters: readonly DescribedParameter[]): object => {
  if (parameters.length === 0) return {};
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  const schema = objectSchema(
    properties,
    parameters.filter(({ isRequired }) => !isRequired).map(({ name }) => name),
  );
  const isFile = parameters.some(({ schema: { format } }) => format === 'binary');
  const types = isFile ? ['multipart/form-data'] : ['application/json', 'application/x-www-form-urlencoded'];
  const content = Object.fromEntries(types.map((type) => [type, { schema }]));
  return { requestBody: { required: parameters.some(({ isRequired }) => isRequired), content } };
};

const hasBody = (verb: RestVerb): boolean => verb === 'POST' || verb === 'PUT' || verb === 'PATCH';

const inputOf = (route: Route, schemas: SchemaSet): object => {
  const path = Object.values(route.variables).map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  const others = parametersAt(route, schemas.profile.version).map((parameter) => ({
    ...parameter,
    schema: schemas.titled(parameter.schema),
  }));
  const query = others.map(({ name, isRequired, schema }) => ({ name, in: 'query', ...(isRequired ? { required: true } : {}), schema }));
  return hasBody(route.verb) ? { parameters: path, ...bodyOf(others) } : { parameters: [...path, ...query] };
};

/** Schema of a JSON answer at a route, errors included; undefined for media. */
const answerAt = ({ action, fixed }: Pick<Route, 'action' | 'fixed'>, schemas: SchemaSet): Schema | undefined => {
  const { answer } = actionDescriptions[action];
  return answer === 'media' ? undefined : anyOf([answer(schemas, fixed), schemas.named('Error', errorSchema)]);
};

const responsesOf = (route: Route, schemas: SchemaSet, examples: Examples): object => {
  const error = { $ref: '#/components/responses/Error' };
  const schema = answerAt(route, schemas);
  const content = schema
    ? { 'application/json': { schema, ...exampleOf(examples, route.action, route.fixed) } }
    : {
        // Generators of clients that know one type of an answer take the first.
        'application/octet-stream': { schema: MEDIA },
        '*/*': { schema: MEDIA },
        'application/json': { schema: schemas.named('Error', errorSchema) },
      };
  // A missing picture is answered without a body.
  const missing = schema ? {} : { 404: { description: 'There is none; the body may hold an error.' } };
  return { 200: { description: schema ? 'The answer, or an error.' : 'The file.', content }, ...missing, default: error };
};

const words = (path: string): string[] =>
  path
    .replaceAll(VARIABLE, '')
    .split('/')
    .filter(Boolean)
    .map((word) => word.replaceAll('-', '_'));

/** Names an operation by its action, and by its path too where an action has several. */
const operationIdOf = (route: Route, all: readonly Route[]): string => {
  const same = all.filter(({ action }) => action === route.action);
  if (same.length === 1) return route.action;
  const id = [route.action, ...words(route.path)].join('_');
  const isDistinct = same.filter(({ path }) => words(path).join('_') === words(route.path).join('_')).length === 1;
  return isDistinct ? id : `${id}_${route.verb.toLowerCase()}${route.path.includes('{') ? '_one' : ''}`;
};

/** First word of a path, where several paths begin with it. */
const tagOf = ({ path }: Route, all: readonly Route[]): string => {
  const [first = ''] = words(path);
  return all.some((other) => other.path !== path && words(other.path)[0] === first) ? first : 'server';
};

const operationOf = (route: Route, all: readonly Route[], schemas: SchemaSet, examples: Examples): Operation => {
  const row = methods[route.action];
  const level = row.kind === 'caller' ? row.access : 0;
  return {
    operationId: operationIdOf(route, all),
    summary: actionDescriptions[route.action].summary,
    description: `${accessSentence(level)} Action \`${route.action}\`.`,
    tags: [tagOf(route, all)],
    ...(row.kind === 'public' ? { security: [] } : {}),
    ...inputOf(route, schemas),
    responses: responsesOf(route, schemas, examples),
  };
};

const description = (version: DescribedVersion): string =>
  `The native API, version ${version}, in JSON. Log in with an API key or a session as a Bearer token. \
Every answer has status 200 and errors are told in its body, unless the server is set to map errors to statuses; \
media answer errors with their status. \`/rest/${version}/xml\` answers the same in XML.`;

/** OpenAPI document of the REST form of a version. */
export const nativeDocument = (version: DescribedVersion, templates: readonly PathTemplate[], examples: Examples): OpenApiDocument => {
  const schemas = new SchemaSet(policies[version].profile);
  const routes = routesOf(templates, version).toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const paths: Paths = {};
  for (const route of routes) (paths[route.path] ??= {})[route.verb.toLowerCase()] = operationOf(route, routes, schemas, examples);
  const error = schemas.named('Error', errorSchema);
  return {
    openapi: '3.1.1',
    info: { title: `Continuo native API, version ${version}`, version: productVersion, description: description(version) },
    servers: [{ url: `/rest/${version}/json` }],
    tags: tagsOf(paths),
    security: [{ bearer: [] }, { token: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'API key or session token.' },
        token: { type: 'apiKey', in: 'query', name: 'auth', description: 'API key or session token.' },
      },
      responses: { Error: { description: 'An error.', content: { 'application/json': { schema: error } } } },
      schemas: schemas.components,
    },
  };
};

/** Schema of any JSON answer of an action in a version; it refers to the components of the version's document. */
export const nativeAnswerSchema = (version: DescribedVersion, action: ActionName): Schema => {
  const schemas = new SchemaSet(policies[version].profile);
  const served = methods[action].versions.includes(version) ? answerAt({ action, fixed: {} }, schemas) : undefined;
  return served ?? schemas.named('Error', errorSchema);
};
