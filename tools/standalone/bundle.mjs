import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import http from 'node:http';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { services } from '../../deploy/images/packages.mjs';

/** Puts the programs with all their packages into few files: they start sooner and need less memory than with a module for each of some 4,000 files (decisions 0110 and 0138). */

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const providers = at('../../services/plugins/src/providers');
/** The programs: the server, each service alone, the command line, and those of threads, by name; each thread with the module that starts it. */
const programs = [
  { name: 'main', path: at('src/main.ts') },
  ...services.map((name) => ({ name, path: at(`../../services/${name}/src/main.ts`) })),
  { name: 'continuo', path: at('../continuo/src/main.ts') },
  { name: 'tag-worker', path: at('../../services/ingestion/src/tags/tag-worker.ts'), starter: 'worker-thread.ts' },
  { name: 'filling-thread.main', path: at('../../services/library/src/catalogue/filling-thread.main.ts'), starter: 'filling-thread.ts' },
  { name: 'plugin-worker', path: at('../../services/plugins/src/host/plugin-worker.ts'), starter: 'plugin-thread.ts' },
  { name: 'backup-thread.main', path: at('../../services/operations/src/backup/backup-thread.main.ts'), starter: 'backup-thread.ts' },
  ...pluginNames().map((name) => ({ name: `${name}/plugin`, path: join(providers, name, 'plugin.ts'), starter: '../built-in.ts' })),
];
/** These modules look for a program beside the bundle's own file. */
const starters = new Set(programs.flatMap(({ path, starter }) => (starter ? [join(dirname(path), starter)] : [])));
/** Packages that look for files beside their own. */
const APART = /^(?:argon2|sharp|taglib-wasm)(?:\/|$)/;

function pluginNames() {
  const folders = readdirSync(providers, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map(({ name }) => name).filter((name) => readdirSync(join(providers, name)).includes('plugin.ts'));
}

/** `import.meta.resolve` takes no other module's address. */
const resolver = `import * as $module from 'node:module';
import * as $url from 'node:url';
const $resolve = (from) => (name) => $url.pathToFileURL($module.createRequire(from).resolve(name)).href;`;

/** Nest asks for transports that nobody installed, and does without; our own modules need all that they name. */
const onLog = (_level, { code, id, message }) => {
  if (code === 'UNRESOLVED_IMPORT' && !id?.includes('/node_modules/')) throw new Error(message);
};

/** A module goes on finding what it looks for by its own address: pages, packages, package files. */
const addresses = (addressOf, apart) => ({
  name: 'addresses',
  async resolveId(source, importer, options) {
    if (!APART.test(source)) return null;
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    return found && { id: apart(source, found.id), external: true };
  },
  transform: {
    filter: { code: 'import.meta' },
    handler(code, path) {
      // The bundler's own modules lie nowhere.
      if (starters.has(path) || path.startsWith('\0')) return null;
      const address = `new URL(${JSON.stringify(addressOf(path))}, import.meta.url).href`;
      return {
        code: code.replaceAll('import.meta.resolve', '$resolve(import.meta.url)').replaceAll('import.meta.url', address),
        map: null,
      };
    },
  },
});

/** fluent-ffmpeg names the folder of its presets, which we never ask for, by an address that a bundle does not have. */
const withoutPresets = {
  name: 'without-presets',
  transform: {
    filter: { id: /\/fluent-ffmpeg\/lib\/fluent-ffmpeg\.js$/ },
    handler: (code) => ({ code: code.replace("path.join(__dirname, 'presets')", 'undefined'), map: null }),
  },
};

/** When somebody imports `node:http`, Node reads everything that it exports, and `WebSocket` among it loads a client of 3 MB. Whoever asks for that name gets an error of the bundler. */
const withoutWebSocket = {
  name: 'without-web-socket',
  resolveId: (source, _importer, { kind }) => (kind !== 'require-call' && /^(?:node:)?http$/.test(source) ? '\0http' : null),
  load: {
    filter: { id: /^\0http$/ },
    handler() {
      const exported = Object.entries(Object.getOwnPropertyDescriptors(http)).filter(([, described]) => 'value' in described);
      const names = exported.map(([name]) => `export const ${name} = http.${name};`);
      return `const http = process.getBuiltinModule('node:http');\nexport default http;\n${names.join('\n')}`;
    },
  },
};

async function write(folder, plugin) {
  const bundle = await rolldown({
    input: Object.fromEntries(programs.map(({ name, path }) => [name, path])),
    platform: 'node',
    tsconfig: at('../../tsconfig.base.json'),
    // Our packages are read from their sources: nothing has to be compiled before.
    resolve: { conditionNames: ['continuo-source', 'node', 'default'], extensionAlias: { '.js': ['.ts', '.js'] } },
    plugins: [plugin, withoutPresets, withoutWebSocket],
    onLog,
  });
  const { output } = await bundle.write({
    dir: folder,
    // A server that runs while it is built anew still finds what it loads when it is needed.
    chunkFileNames: '[name].js',
    banner: resolver,
    charset: 'ascii',
    comments: false,
    keepNames: true,
    strictExecutionOrder: true,
    cleanDir: true,
  });
  refuseWideCharacters(output);
}

/** One character beyond Latin 1 doubles the memory of a file's text. The bundler escapes them in strings, but not in templates. */
function refuseWideCharacters(output) {
  for (const { fileName, code = '' } of output) {
    const [line] = /.*[^\0-\xff].*/.exec(code) ?? [];
    if (line !== undefined) throw new Error(`${fileName}: characters of a template have to be escaped in "${line.trim()}"`);
  }
}

/** Bundles for this checkout, below `bundle`: files and packages stay where they are. */
async function bundleInPlace() {
  const folder = at('bundle');
  const fromBundle = (path) => `./${relative(folder, path).replaceAll('\\', '/')}`;
  await write(
    folder,
    addresses(fromBundle, (_, path) => fromBundle(path)),
  );
}

/**
 * Bundles for another place, into `bundle` below a folder: packages are looked for by their names, as an installation beside or around that folder has them. Answers the real
 * folders of packages that the bundle names.
 */
export async function bundleToMove(folder) {
  const needed = new Map();
  const apart = (source, path) => {
    const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(source);
    needed.set(name, path.slice(0, path.lastIndexOf(`/node_modules/${name}/`) + `/node_modules/${name}`.length));
    return source;
  };
  await write(join(folder, 'bundle'), addresses(addressInstalled, apart));
  return needed;
}

/** The address at which an installation has a module of ours or of others, as seen from the bundle. */
function addressInstalled(path) {
  const [inside] = path.split('/node_modules/').slice(1).toReversed();
  if (inside !== undefined) return `../node_modules/${inside}`;
  let home = dirname(path);
  while (!readdirSync(home).includes('package.json')) home = dirname(home);
  const { name } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  return `../node_modules/${name}/${relative(home, path).replaceAll('\\', '/')}`;
}

if (process.argv[1] && realpathSync(resolve(process.argv[1])) === import.meta.filename) await bundleInPlace();
