import { defineConfig } from 'vitest/config';

const sources = { resolve: { conditions: ['continuo-source'] }, ssr: { resolve: { conditions: ['continuo-source'] } } };
const packages = '{contracts,services/*,tools/*}';

/** Three kinds of test by file suffix: no I/O, real servers, whole stack. */
export default defineConfig({
  ...sources,
  test: {
    projects: [
      { ...sources, test: { name: 'unit', include: [`${packages}/src/**/*.unit.spec.ts`] } },
      {
        ...sources,
        test: { name: 'int', include: [`${packages}/src/**/*.int.spec.ts`], testTimeout: 60_000, hookTimeout: 120_000, maxWorkers: 2 },
      },
      {
        ...sources,
        test: { name: 'e2e', include: [`${packages}/src/**/*.e2e.spec.ts`], testTimeout: 180_000, hookTimeout: 300_000, fileParallelism: false },
      },
    ],
  },
});
