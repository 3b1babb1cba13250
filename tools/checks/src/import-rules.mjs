import { builtinModules } from 'node:module';
import { posix } from 'node:path';

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

/** What services and tools share as code. */
const libraries = new Set(['services/chassis', 'services/playlist-files', 'services/plugins']);

/** A service that stands for itself: its own process, so nobody may call into it. */
const isService = (folder) => folder.startsWith('services/') && !libraries.has(folder);

/** The import rules of the house: answers `{ path, line, text }` for each broken one. */
export function importFaults({ path, text }, packages) {
  const home = packages.find(({ folder }) => path.startsWith(`${folder}/`));
  return [...text.matchAll(statement)].flatMap((match) => {
    const target = match[1] ?? match[2] ?? match[3];
    const line = text.slice(0, match.index).split('\n').length;
    return [relativeFault(path, target, home), packageFault(target, home, packages), testkitFault(path, target), purityFault(path, target)]
      .filter((fault) => fault !== undefined)
      .map((fault) => ({ path, line, text: fault }));
  });
}

function relativeFault(path, target, home) {
  if (!target.startsWith('.')) return undefined;
  const landing = posix.join(posix.dirname(path), target);
  if (landing.startsWith(`${home.folder}/src/`)) return undefined;
  return `"${target}" leaves the package; import the other package by its name`;
}

function packageFault(target, home, packages) {
  const other = packages.find(({ name }) => target === name || target.startsWith(`${name}/`));
  if (!other) return undefined;
  if (other === home) return `"${target}" is this very package; use a relative import`;
  if (!other.entries.includes(target)) return `"${target}" reaches into a package; import ${other.entries.join(' or ')}`;
  if (isService(other.folder) && home.folder.startsWith('services/')) return `"${target}" is another service; talk to it by messages`;
  if (isService(other.folder) && home.folder === 'contracts') return `"${target}" is a service; contracts depend on nothing`;
  if (other.folder.startsWith('services/') && home.folder === 'contracts') return `"${target}" depends on the contracts already`;
  return undefined;
}

/** Test helpers come through an entry of their own, so that no program carries them along; the end-to-end tests are no program. */
function testkitFault(path, target) {
  if (!/^@continuo\/.*testkit/.test(target) || /\.spec\.ts$|\/testkit\/|^tools\/e2e\//.test(path)) return undefined;
  return `"${target}" is for tests only`;
}

function purityFault(path, target) {
  const rule = pureFiles.find(({ of }) => of.test(path));
  if (!rule || rule.also.test(target)) return undefined;
  if (!impure.test(target) && !builtinModules.includes(target)) return undefined;
  return `"${target}" must not be imported here: deciders, projections and messages stay free of frameworks and I/O`;
}
