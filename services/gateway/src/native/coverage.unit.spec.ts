import { describe, expect, it } from 'vitest';
import { hasSpecification, specificationFile } from '../testkit/specification.js';
import { actionAliases, actionNames, type ActionName } from './registry/actions.js';
import { methodNamed, methods } from './registry/index.js';
import { missingMethods } from './registry/missing.methods.js';
import { restCallOf, type RestVerb } from './rest/routes.js';

interface RestPath {
  readonly verb: RestVerb;
  readonly path: string;
  readonly fixedParams?: Readonly<Record<string, string>>;
  readonly bind?: Readonly<Record<string, string>>;
  readonly note?: string;
}
interface SpecifiedMethod {
  readonly name: ActionName;
  readonly versions: readonly number[];
  readonly minAccess: number;
  readonly binary: boolean;
  readonly rest: readonly RestPath[];
  readonly rpcAliases?: readonly string[];
}
const specified: readonly SpecifiedMethod[] = hasSpecification
  ? (JSON.parse(specificationFile('native/methods.json')) as { methods: SpecifiedMethod[] }).methods
  : [];
const paths = specified.flatMap((method) => method.rest.map((rest) => ({ ...rest, method })));
const namesAt = (rest: RestPath): string[] =>
  paths.filter((other) => other.verb === rest.verb && other.path === rest.path).map((other) => other.method.name);
/** Two names of one operation. */
const twins: Readonly<Record<string, string>> = {
  catalog_create: 'catalog_add',
  podcast_update: 'update_podcast',
  search: 'advanced_search',
  get_bookmark: 'bookmark',
};
const canonical = (name: string): string => twins[name] ?? name;

it.skipIf(hasSpecification)('is NOT compared: the specification (../shared/spec) is not here', () => undefined);

describe.skipIf(!hasSpecification)('the registry against the specification', () => {
  it('has every action and no other', () => {
    expect([...actionNames].toSorted()).toEqual(specified.map(({ name }) => name).toSorted());
    expect(Object.keys(methods).toSorted()).toEqual([...actionNames].toSorted());
  });
  it.each(specified)('$name has its versions, access and kind', ({ name, versions, minAccess, binary }) => {
    const row = methods[name];
    expect(row.versions).toEqual(versions);
    if (row.kind === 'missing') return;
    expect(row.kind === 'public' ? 0 : row.access).toBe(minAccess);
    expect(row.binary).toBe(binary);
  });
  it('knows every other spelling', () => {
    const others = specified.flatMap(({ name, rpcAliases = [] }) => rpcAliases.map((alias) => [alias, name]));
    expect(actionAliases).toEqual(Object.fromEntries(others));
    for (const [alias, name] of others) expect(methodNamed(String(alias))).toBe(methods[name as ActionName]);
  });
  it('says what is not served yet', () => {
    const missing = Object.keys(missingMethods);
    const served = actionNames.length - missing.length;
    console.info(`native actions served: ${served} of ${actionNames.length}; missing: ${missing.join(' ')}`);
    expect(served).toBeGreaterThanOrEqual(29);
  });
});

describe.skipIf(!hasSpecification)('REST paths against the specification', () => {
  it.each(paths)('$verb $path', (rest) => {
    const filled = rest.path.replaceAll(/\{path\}/g, '/some/where').replaceAll(/\{[a-z_]+\}/g, '7');
    const call = restCallOf(rest.verb, filled);
    expect(namesAt(rest).map(canonical)).toContain(canonical(call?.action ?? ''));
    for (const [name, value] of Object.entries(rest.fixedParams ?? {})) expect(call?.params[name]).toBe(value);
    for (const [name, variable] of Object.entries(rest.bind ?? {}))
      expect(call?.params[name]).toBe(variable === 'path' ? '/some/where' : '7');
  });
  it('reaches every method that has a path', () => {
    const reached = new Set(paths.map((rest) => canonical(restCallOf(rest.verb, rest.path.replaceAll(/\{[a-z_]+\}/g, '7'))?.action ?? '')));
    const withPath = specified.filter(({ rest }) => rest.length > 0).map(({ name }) => canonical(name));
    expect(withPath.filter((name) => !reached.has(name) && name !== 'search_songs')).toEqual([]);
  });
});

describe('REST paths', () => {
  it('takes dashes for underscores in words, and leaves ids alone', () => {
    expect(restCallOf('GET', 'album-disks/a-b/songs')).toEqual({
      action: 'album_disk_songs',
      params: { type: 'album_disk', filter: 'a-b' },
    });
    expect(restCallOf('GET', 'songs/7/')).toEqual({ action: 'song', params: { filter: '7' } });
    expect(restCallOf('GET', '')).toEqual({ action: 'ping', params: {} });
    expect(restCallOf('DELETE', '')).toEqual({ action: 'ping', params: {} });
  });
  it('decodes ids and survives broken escapes', () => {
    expect(restCallOf('GET', 'preferences/a%20b')).toMatchObject({ params: { filter: 'a b' } });
    expect(restCallOf('GET', 'songs/%zz')).toEqual({ action: 'song', params: { filter: '%zz' } });
  });
  it('refuses what fits no rule', () => {
    expect(restCallOf('GET', 'a/b/c/d')).toBeUndefined();
    expect(restCallOf('GET', 'a/b/c/d/e')).toBeUndefined();
  });
  it('keeps names of prototypes out', () => {
    expect(restCallOf('GET', 'constructor')).toEqual({ action: 'constructor', params: {} });
    expect(methodNamed('constructor')).toBeUndefined();
    expect(methodNamed('__proto__')).toBeUndefined();
  });
});
