import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Files that nothing reads when it runs: types, sources, maps, texts, static libraries. Licences stay, and our web page. */
const USELESS = /\.(?:a|[cm]?ts|tsx|map|md|markdown|flow|tsbuildinfo|html)$/i;
const LICENCE = /^(?:licen[cs]e|copying|notice|copyright)/i;
/** Folders of others that hold the same program once more, for browsers and bundlers. */
const TWICE = [
  ['rxjs', ['src', 'dist/bundles', 'dist/esm', 'dist/esm5', 'dist/types']],
  ['@opentelemetry/', ['build/esm', 'build/esnext']],
];
/** Folders at the top of others' packages that nothing but their own tests use. */
const TESTS = /^(?:tests?|__tests__|benchmarks?|examples?)$/;
const OURS = '@continuo/';

/** Deletes what is of no use in an image from a deployed package and from all that it needs. Answers the bytes that went. */
export function prune(folder) {
  return pruneFolder(folder, { name: `${OURS}deployed`, within: '' });
}

function pruneFolder(folder, place) {
  let freedBytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const isFolder = entry.isDirectory();
    const inside = isFolder ? step(place, entry.name) : place;
    if (isFolder ? isUselessFolder(entry.name, inside) : entry.isFile() && isUseless(entry.name, place)) {
      freedBytes += sizeOf(path);
      rmSync(path, { recursive: true });
    } else if (isFolder) freedBytes += pruneFolder(path, inside);
  }
  return freedBytes;
}

/** Where a folder leads: into a package, into a scope of packages, or deeper into the same one. */
function step({ name, within }, folder) {
  if (folder === 'node_modules') return { name: '', within: '' };
  if (name === '' && folder.startsWith('.')) return { name: '.', within: '' };
  if (name === '') return { name: folder.startsWith('@') ? `${folder}/` : folder, within: '' };
  if (name.endsWith('/')) return { name: `${name}${folder}`, within: '' };
  return { name, within: within === '' ? folder : `${within}/${folder}` };
}

function isUselessFolder(folder, { name, within }) {
  return (within === folder && TESTS.test(folder)) || TWICE.some(([of, folders]) => isOf(name, of) && folders.includes(within));
}

const isOf = (name, of) => (of.endsWith('/') ? name.startsWith(of) : name === of);

const WEB_PAGE = /\.html$/;

function isUseless(file, { name }) {
  return USELESS.test(file) && !(name.startsWith(OURS) ? WEB_PAGE : LICENCE).test(file);
}

function sizeOf(path) {
  const found = lstatSync(path);
  if (!found.isDirectory()) return found.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
