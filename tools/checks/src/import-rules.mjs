import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import { isTestFile } from './test-files.mjs';

/** Statements start a line (the formatter sees to it); `import()` may be anywhere, except in a comment line. */
const statement =
  /^(?:import|export)\b[^;'"]*?\bfrom\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]|^(?!\s*(?:\*|\/\/)).*?\bimport\(\s*['"]([^'"]+)['"]/gm;

/** Kept free of frameworks and I/O, so that they run anywhere and in any order. Projections name their tables through kysely. */
const pureFiles = [
  { of: /\.decider\.ts$/, also: /^$/ },
  { of: /\.projection\.ts$/, also: /^kysely$/ },
  { of: /^contracts\/src\/messages\/.*(?<!\.spec)\.ts$/, also: /^$/ },
];
const impure = /^(?:@nestjs\/|@nats-io\/|nats$|pg$|pg-|kysely$|node:|rxjs$)/;

/** Packages that services and tools share. */
const libraries = new Set(
  ['chassis', 'media-store', 'operations', 'playlist-files', 'plugins', 'public-events', 'search-index'].map((name) => `services/${name}`),
);

/** A service that stands for itself: its own process, so nobody may call into it. */
export const isService = (folder) => folder.startsWith('services/') && !libraries.has(folder);

/** Programs that specs start as processes: they are compiled, and import their own package as others do. */
const PROCESS = /\/test\/processes\//;

/** Floors of the gateway from top to bottom; imports go down or stay, also for types. Files beside them open everything. */
const floors = [['apis'], ['features'], ['kinds'], ['reads', 'search', 'transcode', 'auth', 'preferences', 'server', 'render']];
const gateway = 'services/gateway/src/';
const floorOf = (path) => floors.findIndex((folders) => folders.includes(path.slice(gateway.length).split('/')[0]));

const web = 'services/web/src/';
/** The part of the web page that a path belongs to: a feature, or a floor beside the features. */
const partOf = (path) => /^(?:features\/[^/]+|[^/]+)/.exec(path.slice(web.length))?.[0];
/** Floors of the web page from top to bottom; features stand beside each other. */
const webFloors = ['app', 'features', 'ui', 'lib', 'messages'];
const webFloorOf = (part) => webFloors.indexOf(part.split('/')[0]);

/** Imports of a file as `{ target, line }`. */
export const importsOf = (text) =>
  [...text.matchAll(statement)].map((match) => ({
    target: match[1] ?? match[2] ?? match[3],
    line: text.slice(0, match.index).split('\n').length,
  }));

const packageOf = (target, packages) => packages.find(({ name }) => target === name || target.startsWith(`${name}/`));

/** The other packages that a file imports: `{ path, from, to }`, folders of both. */
export function packageImports({ path, text }, packages) {
  const { folder: from } = packages.findLast(({ folder }) => path.startsWith(`${folder}/`));
  const targets = importsOf(text).map(({ target }) => packageOf(target, packages)?.folder);
  return targets.filter((to) => to !== undefined && to !== from).map((to) => ({ path, from, to }));
}

/** The import rules of the house: answers `{ path, line, text }` for each broken one. */
export function importFaults({ path, text }, packages) {
  const home = packages.findLast(({ folder }) => path.startsWith(`${folder}/`));
  return importsOf(text).flatMap(({ target, line }) =>
    [
      relativeFault(path, target, home),
      floorFault(path, target),
      featureFault(path, target),
      packageFault(path, target, home, packages),
      testkitFault(path, target),
      purityFault(path, target),
    ]
      .filter((fault) => fault !== undefined)
      .map((fault) => ({ path, line, text: fault })),
  );
}

function relativeFault(path, target, home) {
  if (!target.startsWith('.')) return undefined;
  const landing = posix.join(posix.dirname(path), target);
  if (landing.startsWith(`${home.folder}/src/`)) return undefined;
  if (landing.startsWith(`${home.folder}/test/`)) return isTestFile(path) ? undefined : `"${target}" is for tests only`;
  return `"${target}" leaves the package; import the other package by its name`;
}

function floorFault(path, target) {
  if (!path.startsWith(gateway) || !target.startsWith('.') || path.endsWith('.spec.ts')) return undefined;
  if (target.includes('/testkit/')) return undefined; // until the test support of the gateway has left src/
  const landing = posix.join(posix.dirname(path), target);
  const from = floorOf(path);
  const to = floorOf(landing);
  if (from < 0 || (to >= from && to >= 0)) return undefined;
  return `"${target}" lies above ${floors[from].join(', ')}; imports of the gateway go down only: ${floors.map((folders) => folders.join(', ')).join(' → ')}`;
}

/** What a feature offers: its index to the page, its views to the table of addresses, and parts of views to other views. */
const FEATURE_ENTRY = /^(?:index|parts|components\/[\w-]+-view)\.js$/;

function featureFault(path, target) {
  if (!path.startsWith(web) || !target.startsWith('.')) return undefined;
  const landing = posix.join(posix.dirname(path), target);
  if (!landing.startsWith(web)) return undefined;
  const [from, to] = [partOf(path), partOf(landing)];
  if (from === to || /^[^/]+\.tsx?$/.test(from)) return undefined;
  if (to.startsWith('features/') && !FEATURE_ENTRY.test(landing.slice(`${web}${to}/`.length)))
    return `"${target}" reaches into a feature; import its index.js, a view, or its parts.js from a view`;
  if (webFloorOf(to) >= webFloorOf(from)) return undefined;
  return `"${target}" lies above ${from}; imports of the web page go down only: ${webFloors.join(' → ')}`;
}

function packageFault(path, target, home, packages) {
  const other = packageOf(target, packages);
  if (!other) return undefined;
  if (other === home) return PROCESS.test(path) ? undefined : `"${target}" is this very package; use a relative import`;
  if (!other.entries.includes(target)) return `"${target}" reaches into a package; import ${other.entries.join(' or ')}`;
  if (isService(other.folder) && home.folder.startsWith('services/')) return `"${target}" is another service; talk to it by messages`;
  if (isService(other.folder) && home.folder === 'contracts') return `"${target}" is a service; contracts depend on nothing`;
  if (other.folder.startsWith('services/') && home.folder === 'contracts') return `"${target}" depends on the contracts already`;
  return undefined;
}

/** Test support comes through an entry of its own, which is not compiled. */
function testkitFault(path, target) {
  return /^@continuo\/.*testkit/.test(target) && !isTestFile(path) ? `"${target}" is for tests only` : undefined;
}

function purityFault(path, target) {
  const rule = pureFiles.find(({ of }) => of.test(path));
  if (!rule || rule.also.test(target)) return undefined;
  if (!impure.test(target) && !builtinModules.includes(target)) return undefined;
  return `"${target}" must not be imported here: deciders, projections and messages stay free of frameworks and I/O`;
}
