import { describe, expect, it } from 'vitest';
import { nativeMethods, type NativeMethodFacts, type RestPath } from '../api-facts/api-facts.js';
import { actionAliases } from '../../src/apis/native/registry/action-aliases.js';
import { actionNames, methodNamed, methods, type ActionName } from '../../src/apis/native/registry/index.js';
import { restCallOf } from '../../src/apis/native/rest/routes.js';
import { policyFor } from '../../src/apis/native/versions/choose.js';
import { apiVersions } from '../../src/apis/native/versions/policy.js';

const specified = nativeMethods as readonly (NativeMethodFacts & { readonly name: ActionName })[];
const paths = specified.flatMap((method) => (method.paths ?? []).map((rest) => ({ ...rest, method })));
const namesAt = (rest: RestPath): string[] =>
  paths.filter((other) => other.verb === rest.verb && other.path === rest.path).map((other) => other.method.name);
/** Two names of one operation. */
const twins: Readonly<Record<string, string>> = {
  catalog_create: 'catalog_add',
  podcast_update: 'update_podcast',
  search: 'advanced_search',
  get_bookmark: 'bookmark',
};
const combinations = specified.flatMap(({ name, versions }) =>
  apiVersions.flatMap((asked) => (['json', 'xml'] as const).map((format) => ({ name, versions, asked, format }))),
);
const older = specified.flatMap(({ name: method, older: names = [] }) => names.map((one) => ({ method, wins: false, ...one })));
const canonical = (name: string): string => twins[name] ?? name;

describe('the registry against contracts/api', () => {
  it('has every action and no other', () => {
    expect(actionNames).toEqual(specified.map(({ name }) => name).toSorted());
  });
  it.each(specified)('$name has its versions, access and kind', ({ name, versions, access, binary = false }) => {
    const row = methods[name];
    expect(row.versions).toEqual(versions);
    // Whoever ends a session has one; the row is public for the sake of its error.
    expect(row.kind === 'public' && name !== 'goodbye' ? 0 : 'access' in row ? row.access : 5).toBe(access);
    expect(row.binary).toBe(binary);
  });
  it('knows every other spelling', () => {
    const others = specified.flatMap(({ name, spellings = [] }) => spellings.map((alias) => [alias, name]));
    expect(actionAliases).toEqual(Object.fromEntries(others));
    for (const [alias, name] of others) expect(methodNamed(String(alias))).toBe(methods[name as ActionName]);
  });
  it.each(combinations)('$name is known in version $asked in $format exactly when it should be', ({ name, versions, asked, format }) => {
    const policy = policyFor(String(asked), format);
    // Version 3 has no JSON of its own: version 6 answers.
    const answering = asked === 3 && format === 'json' ? 6 : asked;
    expect(policy?.version).toBe(answering);
    expect(methodNamed(name)?.versions.includes(answering)).toBe(versions.includes(answering));
    expect(versions.includes(answering) && policy?.withdrawn.includes(name)).toBe(false);
  });
  it.each(older)('$method reads $older for $today', ({ method, older: name, today, wins }) => {
    const row = methods[method];
    expect(row.aliases[today]).toEqual(wins ? [name, today] : [today, name]);
  });
});

describe('REST paths against contracts/api', () => {
  it.each(paths)('$verb $path', (rest) => {
    const filled = rest.path.replaceAll(/\{path\}/g, '/some/where').replaceAll(/\{[a-z_]+\}/g, '7');
    const call = restCallOf(rest.verb, filled);
    expect(namesAt(rest).map(canonical)).toContain(canonical(call?.action ?? ''));
    for (const [name, value] of Object.entries(rest.fixed ?? {})) expect(call?.params[name]).toBe(value);
    for (const [name, variable] of Object.entries(rest.bind ?? {}))
      expect(call?.params[name]).toBe(variable === 'path' ? '/some/where' : '7');
    // The type that a path begins with comes along, and a command under both of its names.
    const named = [...Object.keys(rest.fixed ?? {}), ...Object.keys(rest.bind ?? {}), 'type', 'command', 'filter'];
    expect(Object.keys(call?.params ?? {}).filter((name) => !named.includes(name))).toEqual([]);
  });
  const inVersions = paths.flatMap((rest) => apiVersions.map((version) => ({ ...rest, version })));
  it.each(inVersions)('$verb $path in version $version', ({ version, ...rest }) => {
    const call = restCallOf(rest.verb, rest.path.replaceAll(/\{path\}/g, '/some/where').replaceAll(/\{[a-z_]+\}/g, '7'), version);
    const row = methodNamed(call?.action ?? '');
    const isShareKindEnabled = row?.versions.includes(version) === true && version >= (call?.since ?? 0);
    const serving = paths.filter((other) => other.verb === rest.verb && other.path === rest.path);
    expect(isShareKindEnabled).toBe(serving.some(({ method, since = 0 }) => method.versions.includes(version) && version >= since));
  });
  it('are all of them', () => {
    expect(paths).toHaveLength(286);
    expect(new Set(paths.map(({ verb, path }) => `${verb} ${path}`)).size).toBe(268);
  });
  it('reaches every method that has a path', () => {
    const reached = new Set(paths.map((rest) => canonical(restCallOf(rest.verb, rest.path.replaceAll(/\{[a-z_]+\}/g, '7'))?.action ?? '')));
    const withPath = specified.filter((method) => method.paths).map(({ name }) => canonical(name));
    expect(withPath.filter((name) => !reached.has(name) && name !== 'search_songs')).toEqual([]);
  });
});

describe('REST paths', () => {
  it('takes dashes for underscores in words, and leaves ids alone', () => {
    expect(restCallOf('GET', 'album-disks/a-b/songs')).toEqual({
      action: 'album_disk_songs',
      params: { type: 'album_disk', filter: 'a-b' },
      since: 8,
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
