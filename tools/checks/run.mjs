import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { declarationFaults } from './src/declared-packages.mjs';
import { linkFaults, settingFaults } from './src/doc-rules.mjs';
import { applyPages } from './src/how-to-steps.mjs';
import { importFaults, isService, packageImports } from './src/import-rules.mjs';
import { enumFaults } from './src/language-rules.mjs';
import { graphFaults } from './src/package-graph.mjs';
import { packagesOf, sourceFiles } from './src/packages.mjs';
import { pathFaults } from './src/path-rules.mjs';
import { unreachedFaults } from './src/reach-rules.mjs';
import { isProduct } from './src/test-files.mjs';

/** House rules that the linter cannot express. Prints each fault as `file:line: text` and ends with 1 when there is one. */
const root = join(fileURLToPath(import.meta.url), '..', '..', '..');
const packages = packagesOf(root);
const faults = [];
const product = new Map();
const imports = [];
for (const { folder } of packages) {
  for (const path of ['src', 'test'].flatMap((part) => sourceFiles(join(root, folder, part)))) {
    const file = { path: relative(root, path).split(sep).join('/'), text: readFileSync(path, 'utf8') };
    faults.push(...importFaults(file, packages), ...enumFaults(file));
    imports.push(...packageImports(file, packages));
    if (isProduct(folder) && !/\.spec\.tsx?$|\/test\//.test(file.path)) product.set(file.path, file.text);
  }
}
const entries = new Map(packages.flatMap(({ sources }) => [...sources]));
faults.push(...graphFaults(imports, isService));
faults.push(...unreachedFaults(product, entries));

const textOf = (path) => readFileSync(join(root, path), 'utf8');
/** Files below a folder of the repository whose names end so, without what is installed or built. */
const filesOf = (folder, end) =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (['node_modules', 'dist'].includes(entry.name)) return [];
    if (entry.isDirectory()) return filesOf(`${folder}/${entry.name}`, end);
    return entry.name.endsWith(end) ? [`${folder}/${entry.name}`] : [];
  });
const world = { exists: (path) => existsSync(join(root, path)), read: textOf };
/** Where a setting that a page names may come from: the tables, what compose hands on, and the programs beside the services. */
const SETTINGS = ['docs/operate/configuration.md', 'deploy/.env.example', 'tools/checks/test-meili.mjs', ...filesOf('deploy', '.yaml')];
/** Names in capitals that are no settings: a tag of files. */
const NO_SETTINGS = ['FMPS_RATING'];
const known = new Set([...SETTINGS.flatMap((path) => textOf(path).match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? []), ...NO_SETTINGS]);
const FOLDERS = ['docs', 'services', 'tools', 'contracts', 'deploy', 'helm'];
const FRONT_PAGES = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
for (const path of [...FRONT_PAGES, ...FOLDERS.flatMap((folder) => filesOf(folder, '.md'))]) {
  const page = { path, text: textOf(path) };
  faults.push(...linkFaults(page, world));
  if (path === 'README.md' || path.startsWith('docs/operate/')) faults.push(...settingFaults(page, known));
}
/** Every file and folder below a folder of the repository, without what is installed or built. */
const pathsOf = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (['node_modules', 'dist', '.git', '.cache', 'data'].includes(path.split('/').at(-1))) return [];
    return entry.isDirectory() ? [path, ...pathsOf(path)] : [path];
  });
const paths = pathsOf('');
/** Pages whose paths may be cut at their beginning; elsewhere only whole paths are compared. */
const GUIDES = /^(?:CONTRIBUTING\.md|docs\/tree\.md|docs\/how-to\/.*)$/;
/** `deploy/.env` is made by the operator. */
const WHOLE_PATH = /^names (?!deploy\/\.env,)(?:services|tools|contracts|docs|deploy|helm)\//;
for (const path of [...FRONT_PAGES, ...filesOf('docs', '.md')]) {
  const found = pathFaults({ path, text: textOf(path) }, paths);
  faults.push(...found.filter(({ text }) => GUIDES.test(path) || WHOLE_PATH.test(text)));
}

const guides = filesOf('docs/how-to', '.md').map((path) => ({ path, text: textOf(path) }));
faults.push(...applyPages(guides, (path) => (existsSync(join(root, path)) ? textOf(path) : undefined)).faults);

for (const { folder } of packages) {
  const within = packages.filter((other) => other.folder.startsWith(`${folder}/`));
  const isOwn = (path) => path.startsWith(`${folder}/`) && !within.some((other) => path.startsWith(`${other.folder}/`));
  const sources = paths.filter((path) => isOwn(path) && /\.m?tsx?$|\.mjs$/.test(path) && !path.includes('/dist/'));
  const files = sources.map((path) => ({ path, text: textOf(path) }));
  faults.push(...declarationFaults({ path: `${folder}/package.json`, manifest: JSON.parse(textOf(`${folder}/package.json`)), files }));
}

for (const { path, line, text } of faults) process.stdout.write(`${path}:${line}: ${text}\n`);
if (faults.length > 0) process.exitCode = 1;
