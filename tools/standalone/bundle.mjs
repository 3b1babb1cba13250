import { basename, dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** Puts the compiled standalone with all its packages into few files: it starts sooner and needs less memory than with a module for each of some 4,000 files (decision 0110). */

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = at('bundle');
/** The program, and those of threads that it starts for as long as it runs. */
const programs = [at('dist/main.js'), at('../../services/ingestion/dist/tags/tag-worker.js')];
/** Packages that look for files beside their own. */
const APART = /^(?:argon2|fluent-ffmpeg|sharp|taglib-wasm)(?:\/|$)/;

const fromBundle = (path) => `./${relative(folder, path).replaceAll('\\', '/')}`;
/** Modules beside these programs start them, from the bundle. */
const withProgram = new Set(programs.map((path) => dirname(path)));

/** A module goes on finding what it looks for by its own address: workers, pages, package files. */
const addresses = {
  name: 'addresses',
  async resolveId(source, importer, options) {
    if (!APART.test(source)) return null;
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    return found && { id: fromBundle(found.id), external: true };
  },
  transform: {
    filter: { code: 'import.meta' },
    handler(code, path) {
      if (withProgram.has(dirname(path))) return null;
      const address = `new URL(${JSON.stringify(fromBundle(path))}, import.meta.url).href`;
      return {
        code: code.replaceAll('import.meta.resolve', '$resolve(import.meta.url)').replaceAll('import.meta.url', address),
        map: null,
      };
    },
  },
};

/** `import.meta.resolve` takes no other module's address. */
const resolver = `import * as $module from 'node:module';
import * as $url from 'node:url';
const $resolve = (from) => (name) => $url.pathToFileURL($module.createRequire(from).resolve(name)).href;`;

/** Nest asks for transports that nobody installed, and does without; our own modules need all that they name. */
const onLog = (_level, { code, id, message }) => {
  if (code === 'UNRESOLVED_IMPORT' && !id?.includes('/node_modules/')) throw new Error(message);
};

const bundle = await rolldown({
  input: Object.fromEntries(programs.map((path) => [basename(path, '.js'), path])),
  platform: 'node',
  plugins: [addresses],
  onLog,
});
// One character beyond Latin 1 would double the memory of a file's text.
await bundle.write({
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
