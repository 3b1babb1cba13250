import { globSync } from 'node:fs';
import { groups } from './groups.mjs';

/** Environment of a run of Stryker: it starts vitest in processes of its own, which get no options of ours. */
const GROUP = 'CONTINUO_DEFENCES_GROUP';
const FILES = 'CONTINUO_DEFENCES_FILES';

/** Variables that say which group a run is of, and which files of it alone are changed where there are any; matrices are whole. */
export const environmentOf = (name, files) => ({ [GROUP]: name, [FILES]: files.join(','), CONTINUO_TEST_LONG: '1' });

/** The group of the environment with its name and its chosen files. @throws Error when there is none of that name */
export function groupOfEnvironment() {
  const name = process.env[GROUP] ?? '';
  const group = groups[name];
  if (group === undefined) throw new Error(`${GROUP} names no group of defences: "${name}"`);
  return { name, ...group, files: (process.env[FILES] ?? '').split(',').filter((file) => file !== '') };
}

/** Globs of packages that are no services are whole. */
const filesOf = (globs, root) =>
  globs.flatMap((glob) => globSync(/^(?:contracts|tools)\//.test(glob) ? glob : `services/${glob}`, { cwd: root }));

/** Files that a group changes, from the root of the repository. */
export const sourcesOf = ({ mutate }, root) => filesOf(mutate, root).filter((path) => !/\.(?:spec|fixture)\.ts$/.test(path));

/** Specs of a group, from the root of the repository. */
export const specsOf = ({ specs }, root) => filesOf(specs, root).filter((path) => path.endsWith('.spec.ts'));
