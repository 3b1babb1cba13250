import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeFailures, failuresOf } from './test-failures.mjs';
import { root } from '../../setup/paths.mjs';

const test = (fullName, state, ...errors) => ({ fullName, state, result: () => ({ state, errors }) });
const suite = (fullName, ...errors) => ({ fullName, errors: () => errors });
/** A file as vitest's reporters get it. */
const file = (name, { tests = [], suites = [], errors = [] }) => ({
  moduleId: join(root, 'tools/some', name),
  project: { name: 'int' },
  errors: () => errors,
  children: { allTests: (state) => tests.filter((one) => one.state === state), allSuites: () => suites },
});

describe('the failures of a run', () => {
  const files = [
    file('a.int.spec.ts', {
      tests: [
        test('scan adds', 'passed'),
        test('scan moves', 'failed', { message: 'expected 1', stack: 'Error: expected 1\n\n    at a.ts:3' }),
      ],
      suites: [suite('scan')],
    }),
    file('b.int.spec.ts', { errors: [{ message: 'cannot find module c' }] }),
    file('c.int.spec.ts', { tests: [test('scan removes', 'passed')] }),
    file('d.int.spec.ts', {
      tests: [test('servers start', 'skipped')],
      suites: [suite('servers', { message: 'they did not start', cause: { message: 'the port is taken' } })],
    }),
  ];

  it('are its failed tests, the files that failed before a test, and the hooks that took their tests along', () => {
    expect(files.flatMap(failuresOf).map(({ name }) => name)).toEqual([
      'int tools/some/a.int.spec.ts > scan moves',
      'int tools/some/b.int.spec.ts',
      'int tools/some/d.int.spec.ts > servers',
    ]);
  });

  it('are told with their reasons', () => {
    expect(describeFailures(files.flatMap(failuresOf))).toBe(
      'FAILED int tools/some/a.int.spec.ts > scan moves\n    Error: expected 1\n        at a.ts:3\n' +
        'FAILED int tools/some/b.int.spec.ts\n    cannot find module c\n' +
        'FAILED int tools/some/d.int.spec.ts > servers\n    they did not start\n    Caused by: the port is taken\n',
    );
  });

  it('are told in a few lines each', () => {
    const long = { name: 'int x', message: Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n') };
    expect(describeFailures([long]).split('\n')).toHaveLength(14);
  });
});
