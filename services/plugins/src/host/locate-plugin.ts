import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, join, resolve as resolvePath } from 'node:path';
import { pathToFileURL } from 'node:url';
import { resolve } from 'import-meta-resolve';

/** Where names of plug-ins are looked for. */
export interface PluginSearchPaths {
  /** `file:` addresses of the modules of built-in plug-ins, by name. */
  readonly builtIn: Readonly<Record<string, string>>;
  /** Folder in whose `node_modules` packages are. */
  readonly folder: string;
}

const isPath = (name: string): boolean => isAbsolute(name) || name.startsWith('./') || name.startsWith('../');

/** A folder stands for the package in it. */
const moduleAt = async (path: string): Promise<string> => {
  if (!(await stat(path)).isDirectory()) return pathToFileURL(path).href;
  const about = JSON.parse(await readFile(join(path, 'package.json'), 'utf8')) as { readonly main?: string; readonly exports?: unknown };
  const entry = typeof about.exports === 'string' ? about.exports : about.main;
  return pathToFileURL(join(path, entry ?? 'index.js')).href;
};

/**
 * The module that a name of `PLUGINS` means: a path, a built-in plug-in, or a package installed in the folder of plug-ins.
 * @throws Error when there is none
 */
export const locatePlugin = async (name: string, { builtIn, folder }: PluginSearchPaths): Promise<string> => {
  if (isPath(name)) return moduleAt(resolvePath(name));
  const own = Object.hasOwn(builtIn, name) ? builtIn[name] : undefined;
  if (own !== undefined) return own;
  return resolve(name, pathToFileURL(join(resolvePath(folder), 'plugins.js')).href);
};
