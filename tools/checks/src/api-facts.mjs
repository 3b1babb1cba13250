import { shapeOf, withNamed, xmlTypes } from './api-shapes.mjs';

/** Leaves out empty values. */
const compact = (row) =>
  Object.fromEntries(
    Object.entries(row).filter(
      ([, value]) => value !== undefined && value !== false && (typeof value !== 'object' || Object.keys(value).length > 0),
    ),
  );

const OLDER = /^older name of (?<today>\w+)(?<wins>; used first when both are sent)?$/;

/** Actions of the native API: versions, lowest access level, other spellings, older names of parameters, REST paths. */
const nativeMethods = ({ methods }) =>
  methods.map(({ name, versions, minAccess, binary, rpcAliases = [], params, rest }) => {
    const older = params.flatMap((param) => {
      const { today, wins } = OLDER.exec(param.note ?? '')?.groups ?? {};
      return today === undefined ? [] : [compact({ older: param.name, today, wins: wins !== undefined })];
    });
    const paths = rest.map(({ verb, path, fixedParams = {}, bind = {}, onlyVersion }) =>
      compact({ verb, path, fixed: fixedParams, bind, since: onlyVersion }),
    );
    return compact({ name, versions, access: minAccess, binary, spellings: rpcAliases, older, paths });
  });

/** Filters and orders of each kind of list. */
const nativeLists = (page) => {
  const sections = page.slice(page.indexOf('## Per browse type'), page.indexOf('## Methods with their own walk')).split('\n### ').slice(1);
  const names = (section, label) => new RegExp(`^${label}: (.*?)\\.?$`, 'm').exec(section)?.[1].split(', ').filter(Boolean) ?? [];
  return sections.map((section) => ({
    name: section.slice(0, section.indexOf('\n')).trim(),
    filters: names(section, 'Filters'),
    sorts: names(section, 'Sorts'),
  }));
};

/** Operators of each family of rules, by number; a family without published codes has their number alone. */
const searchOperators = ({ operators }) =>
  Object.entries(operators).map(([family, list]) => ({ name: family, count: list.length, codes: list.flatMap(({ code }) => code ?? []) }));

/** Rules of each searched type, in the order in which they are listed. */
const searchRules = ({ rules }) =>
  Object.entries(rules).map(([name, list]) => ({
    name,
    rules: list.map(({ name: rule, label, type, widget, group, aliases = [], gate }) =>
      compact({ name: rule, label, family: type, widget, group, aliases, gated: gate !== undefined }),
    ),
  }));

const preferenceNames = (recorded) => recorded.preference.map(({ name }) => name);

/** Schemas of native answers that are asked of ours, and what they refer to; by version. */
const nativeShapes = (version, { components }) =>
  Object.entries(
    withNamed(
      Object.keys(components.schemas).filter((name) => /(?:Response|Object)$/.test(name)),
      components.schemas,
      true,
    ),
  ).map(([name, shape]) => ({ version, name, shape }));

/** Applies a JSON patch of additions, replacements and removals. */
const patched = (document) => {
  for (const { op, path, value } of document['x-corrections']) {
    const keys = path
      .split('/')
      .slice(1)
      .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
    const holder = keys.slice(0, -1).reduce((node, key) => node[key], document);
    if (op === 'remove') delete holder[keys.at(-1)];
    else holder[keys.at(-1)] = value;
  }
  return document;
};

/** Fields that an operation adds to the envelope of a successful answer. */
const payloadOf = (document, name) => {
  const resolve = (node) =>
    node?.$ref
      ? resolve(
          node.$ref
            .split('/')
            .slice(1)
            .reduce((at, key) => at[key.replaceAll('~1', '/')], document),
        )
      : node;
  const { get, post } = document.paths[`/rest/${name}`];
  const schema = resolve(resolve((get ?? post).responses['200'])?.content?.['application/json']?.schema);
  const [success] = resolve(schema?.properties?.['subsonic-response'])?.oneOf ?? [];
  const own = resolve(success)?.allOf?.find((part) => !part.$ref);
  return own ? shapeOf(own, false) : undefined;
};

const compatEndpoints = ({ endpoints }, document) =>
  endpoints.map(({ name, params, binary, requires }) =>
    compact({
      name,
      // Names in brackets are no parameters.
      parameters: params.map((param) => param.name).filter((param) => !param.startsWith('(')),
      binary,
      role: requires ?? undefined,
      answer: binary ? undefined : payloadOf(document, name),
    }),
  );

const rows = (types) => Object.entries(types).map(([name, shape]) => ({ name, shape }));

/** Everything in contracts/api by file name, from the texts of the specification; `read` returns the text of one of its files. */
export const apiFacts = (read) => {
  const json = (path) => JSON.parse(read(path));
  const document = patched(json('compat/openapi.json'));
  const endpoints = compatEndpoints(json('compat/endpoints.json'), document);
  const envelope = ['SubsonicSuccessResponse', 'SubsonicFailureResponse'];
  return {
    'native-methods': nativeMethods(json('native/methods.json')),
    'native-lists': nativeLists(read('native/browse.md')),
    'native-search-operators': searchOperators(json('native/search-rules.json')),
    'native-search-rules': searchRules(json('native/search-rules.json')),
    'native-preferences': ['user', 'system'].map((name) => ({
      name,
      preferences: preferenceNames(json(`native/examples/8/json/${name}_preferences.json`)),
    })),
    'native-answers': [6, 8].flatMap((version) => nativeShapes(version, json(`native/openapi-${version}.json`))),
    'compat-endpoints': endpoints,
    'compat-answers': rows(withNamed([...envelope, endpoints.map(({ answer = {} }) => answer)], document.components.schemas, false)),
    'compat-legacy-xml': rows(xmlTypes(read('compat/subsonic-1.16.1.xsd'))),
  };
};

/** Text of a file in contracts/api: one row per line. */
export const factsText = (list) => `[\n${list.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`;
