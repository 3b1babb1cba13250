import base from '../../vitest.config.ts';
import { groupOfEnvironment, specsOf } from './src/group-of-environment.mjs';

// Stryker loads this in its copy of the checkout, whose root it runs in.
const root = process.cwd();
const specs = specsOf(groupOfEnvironment(), root);

/**
 * Runs a file as a whole where Stryker would run those tests alone that reach a change: tests with servers build on one another, and one without those before it
 * fails by itself.
 */
const wholeFiles = {
  name: 'whole-files',
  configureVitest({ project }) {
    Object.defineProperty(project.config, 'testNamePattern', { get: () => undefined, set: () => {} });
  },
};

/** Unit tests and tests with servers of one group, one after the other. */
export default {
  ...base,
  root,
  test: {
    projects: base.test.projects
      .map(({ resolve, ssr, test }) => ({
        resolve,
        ssr,
        root,
        plugins: test.name === 'unit' ? [] : [wholeFiles],
        test: {
          ...test,
          include: specs.filter((path) => path.includes(`.${test.name}.spec.`)),
          // Waiting for something that a change prevents would take most of a run.
          expect: { poll: { timeout: 10_000 } },
          maxWorkers: 1,
        },
      }))
      .filter(({ test }) => test.include.length > 0),
  },
};
