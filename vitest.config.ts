import { defineConfig } from 'vitest/config';

const sources = { resolve: { conditions: ['continuo-source'] }, ssr: { resolve: { conditions: ['continuo-source'] } } };
// One Postgres for the whole run; every test file makes its own database on it.
const globalSetup = ['tools/local-servers/src/vitest-global-setup.ts'];
/** Test files with the given suffix in every package. */
const specs = (kind: string): string[] =>
  ['contracts', 'services/*', 'tools/*'].map((folder) => `${folder}/src/**/*.${kind}.spec.{ts,mjs}`);

/** What is waited for with `expect.poll` comes at once on a quiet machine; on a busy one it may take. */
const patient = { poll: { timeout: 20_000 } };

/** Three kinds of test by file suffix: no I/O, real servers, whole stack. A fourth needs a Meilisearch server of yours (`pnpm test:meili`). */
export default defineConfig({
  ...sources,
  test: {
    projects: [
      { ...sources, test: { name: 'unit', include: specs('unit') } },
      {
        ...sources,
        test: {
          name: 'int',
          include: specs('int'),
          globalSetup,
          expect: patient,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
      {
        ...sources,
        test: { name: 'meili', include: specs('meili'), testTimeout: 120_000, hookTimeout: 600_000, fileParallelism: false },
      },
      {
        ...sources,
        test: {
          name: 'e2e',
          include: specs('e2e'),
          globalSetup,
          expect: patient,
          testTimeout: 180_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
