import { isTestFile } from './test-files.mjs';

/**
 * Ways to other services that are left: specs of the gateway read tables that the projections of all services fill.
 * Nothing may be added.
 */
const REMAINING = new Set(['services/gateway → tools/read-model']);

/** Specs and test support of a package; nobody who imports the package comes by them. */
const isOwn = (path) => /\.spec\.ts$|\/test\//.test(path);

/**
 * The rules of who may depend on whom among packages: no service reaches another one, not through a third package either; a
 * library reaches none; services and libraries import tools in their tests only.
 * @param imports all imports between packages: `{ path, from, to }`, folders of both packages and the file
 * @returns `{ path, line, text }` for each broken one
 */
export function graphFaults(imports, isService) {
  const graph = Map.groupBy(imports, ({ from }) => from);
  const upwards = imports
    .filter(({ path, from, to }) => from.startsWith('services/') && to.startsWith('tools/') && !isTestFile(path))
    .map(({ path, to }) => ({ path, line: 1, text: `imports ${to}: services and libraries use tools in tests only` }));
  const ways = [...graph.keys()]
    .filter((folder) => folder.startsWith('services/'))
    .flatMap((folder) => waysToServices(graph, folder, isService));
  return [...upwards, ...ways];
}

/** The shortest way from a package to each service that it reaches. */
function waysToServices(graph, start, isService) {
  const ways = new Map([[start, { path: undefined, way: [start] }]]);
  const faults = [];
  for (const [folder, { path: first, way }] of ways) {
    for (const { path, to } of graph.get(folder) ?? []) {
      if (ways.has(to) || (folder !== start && isOwn(path)) || REMAINING.has(`${folder} → ${to}`)) continue;
      ways.set(to, { path: first ?? path, way: [...way, to] });
      if (isService(to)) faults.push({ path: first ?? path, line: 1, text: `reaches another service: ${[...way, to].join(' → ')}` });
    }
  }
  return faults;
}
