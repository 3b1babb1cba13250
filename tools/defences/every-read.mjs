import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createVitest } from 'vitest/node';
import base from '../../vitest.config.ts';
import { root } from '../setup/paths.mjs';

/*
 * Makes each place of each read that asks for visible catalogs show all of them, one at a time, and says for which the spec of hidden catalogs does not fail.
 * Stryker can only empty a query as a whole, which any test finds.
 */
const SPEC = 'services/gateway/test/access-matrix/hidden-catalog.int.spec.ts';
const READS = 'services/gateway/src/{reads,search,kinds}/**/*.ts';
const CALL = /(?<!const )inVisibleCatalogs\((?<viewer>[\w.]+), (?=sql|col)/g;
const VARIABLE = 'CONTINUO_SHOWN_PLACE';

// Most places show in a few calls only.
process.env.CONTINUO_TEST_LONG = '1';

const files = globSync(READS, { cwd: root }).filter((path) => !/\.(?:spec|fixture)\.ts$/.test(path));

/** Places of a file as `path:line:column`, and its text with each of them open while the environment names it. */
function opened(path, text) {
  const places = [];
  const code = text.replaceAll(CALL, (call, viewer, offset) => {
    const before = text.slice(0, offset).split('\n');
    const place = `${path}:${before.length}:${before.at(-1).length + 1}`;
    places.push(place);
    return call.replace(viewer, `process.env.${VARIABLE} === '${place}' ? { ...${viewer}, catalogs: 'all' } : ${viewer}`);
  });
  return { places, code };
}

const openReads = {
  name: 'open-reads',
  enforce: 'pre',
  transform: (code, id) => {
    const path = relative(root, id);
    return files.includes(path) ? opened(path, code).code : undefined;
  },
};

const { test, ...sources } = base.test.projects.find(({ test: { name } }) => name === 'int');
const vitest = await createVitest(
  'test',
  { ...test, root, config: false, include: [SPEC], watch: false, bail: 1, maxWorkers: 1, reporters: [{}] },
  { ...sources, plugins: [openReads] },
);

/** Whether the spec passes with a place open, and the first test that does not. */
async function run(place) {
  process.env[VARIABLE] = place;
  const { testModules } = await vitest.start();
  const tests = testModules.flatMap(({ children }) => [...children.allTests()]);
  const failed = tests.find((one) => one.result().state === 'failed')?.fullName;
  const passes = testModules.length > 0 && testModules.every((module) => module.ok());
  return { passes, failed };
}

const [match = ''] = process.argv.slice(2);
const places = files
  .flatMap((path) => opened(path, readFileSync(join(root, path), 'utf8')).places)
  .filter((place) => place.includes(match));
const missed = [];
try {
  const asItIs = await run('');
  if (!asItIs.passes) throw new Error(`The spec fails as it is: ${asItIs.failed}`);
  for (const place of places) {
    const { passes, failed } = await run(place);
    if (passes) missed.push(place);
    process.stdout.write(`${passes ? 'missed' : 'found '} ${place}${failed ? `: ${failed}` : ''}\n`);
  }
} finally {
  await vitest.close();
}
process.stdout.write(`${places.length - missed.length} of ${places.length} open places are found\n`);
if (missed.length > 0) process.exitCode = 1;
