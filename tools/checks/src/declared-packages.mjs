import { builtinModules } from 'node:module';
import { importsOf } from './import-rules.mjs';

/** Installed for the whole workspace at its root, for tests only. */
const OF_ROOT = new Set(['vitest', '@types/node']);

/** Specs and their support, and what lies beside the sources and only builds; journeys are suites that specs run. */
const isTest = (path) => /\.(?:spec|journey)\.m?tsx?$|\/test\//.test(path) || !path.includes('/src/');

/** Loaded by a package that has them as optional peers. */
const LOADED_BY_OTHERS = {
  'openapi-typescript': ['typescript'],
  '@cyclonedx/cyclonedx-library': ['ajv', 'ajv-formats', 'ajv-formats-draft2019'],
};

const packageOf = (target) => target.split('/', target.startsWith('@') ? 2 : 1).join('/');

const isPackage = (target) => !target.startsWith('.') && !target.startsWith('node:') && !builtinModules.includes(target);

/**
 * A package declares what it imports and nothing else: its product under `dependencies`, what only its tests import under `devDependencies`, so that an image
 * without the latter has all that it runs. What a page imports is bundled when it is built, so it needs nothing when it runs. Answers `{ path, line, text }` for each fault.
 * @param manifest the `package.json`
 * @param files source files of the package, of product and tests, as `{ path, text }`
 */
export function declarationFaults({ path, manifest, files }) {
  const { name: own, dependencies = {}, devDependencies = {}, peerDependencies = {} } = manifest;
  const bundled = 'vite' in devDependencies ? Object.keys(devDependencies) : [];
  const runs = new Set([own, ...Object.keys(dependencies), ...Object.keys(peerDependencies), ...bundled]);
  const tests = new Set([...runs, ...Object.keys(devDependencies), ...OF_ROOT]);
  const undeclared = files.flatMap((file) =>
    importsOf(file.text)
      .filter(({ target }) => isPackage(target))
      .map(({ target, line }) => ({ name: packageOf(target), line }))
      .filter(({ name }) => !(isTest(file.path) ? tests : runs).has(name))
      .map(({ name, line }) => ({
        path: file.path,
        line,
        text: `"${name}" is not under ${isTest(file.path) ? 'dependencies or devDependencies' : 'dependencies'} of the package`,
      })),
  );
  const product = namesIn(files.filter((file) => !isTest(file.path)));
  const all = namesIn(files);
  const unused = Object.keys(dependencies).flatMap((name) => {
    if (product(name)) return [];
    return [`"${name}" is under dependencies, but ${all(name) ? 'only tests import it' : 'nothing imports it'}`];
  });
  const loadedByOthers = Object.keys({ ...dependencies, ...devDependencies }).flatMap((name) => LOADED_BY_OTHERS[name] ?? []);
  const unusedByTests = Object.keys(devDependencies)
    .filter((name) => !all(typed(name)) && !all(name) && !loadedByOthers.includes(name))
    .map((name) => `"${name}" is under devDependencies, but nothing imports it`);
  const twice = Object.keys(devDependencies)
    .filter((name) => name in dependencies)
    .map((name) => `"${name}" is declared twice`);
  return [...undeclared, ...[...unused, ...unusedByTests, ...twice].map((text) => ({ path, line: 1, text }))];
}

/** The package that types are of: `@types/pg` of `pg`. */
const typed = (name) => name.replace(/^@types\/(?:(\w+)__)?/, (_, scope) => (scope ? `@${scope}/` : ''));

/** Whether files name a package, in an import or in another way of loading it. */
const namesIn = (files) => (name) =>
  files.some(({ text }) => ["'", '"', '`'].some((quote) => text.includes(`${quote}${name}${quote}`) || text.includes(`${quote}${name}/`)));
