import { globSync } from 'node:fs';
import { groups } from './groups.mjs';

/** Environment variable that names the group of a run: Stryker starts vitest in processes of its own, which get no options of ours. */
export const groupVariable = 'CONTINUO_DEFENCES';

/** The group of the environment, and its name. @throws Error when there is none of that name */
export function groupOfEnvironment() {
  const name = process.env[groupVariable] ?? '';
  const group = groups[name];
  if (group === undefined) throw new Error(`${groupVariable} names no group of defences: "${name}"`);
  return { name, ...group };
}

/** Globs that do not begin with `tools/` lie below `services/`. */
const filesOf = (globs, root) => globs.flatMap((glob) => globSync(glob.startsWith('tools/') ? glob : `services/${glob}`, { cwd: root }));

/** Files that a group changes, from the root of the repository. */
export const sourcesOf = ({ mutate }, root) => filesOf(mutate, root).filter((path) => !/\.(?:spec|fixture)\.ts$/.test(path));

/** Specs of a group, from the root of the repository. */
export const specsOf = ({ specs }, root) => filesOf(specs, root).filter((path) => path.endsWith('.spec.ts'));
