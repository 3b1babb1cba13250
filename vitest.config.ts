import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const sources = { resolve: { conditions: ['continuo-source'] }, ssr: { resolve: { conditions: ['continuo-source'] } } };
// One Postgres for the whole run; every test file makes its own database on it.
const globalSetup = ['tools/local-servers/src/vitest-global-setup.ts'];
/** Test files with the given suffix in every package. */
const specs = (kind: string): string[] =>
  ['contracts', 'contracts/client', 'services/*', 'tools/*'].map((folder) => `${folder}/{src,test}/**/*.${kind}.spec.{ts,mjs}`);

/** What is waited for with `expect.poll` comes at once on a quiet machine; on a busy one it may take. */
const patient = { poll: { timeout: 45_000 } };

/** Prints compared values of failed tests up to 4000 characters instead of 40: a run in CI that nobody can repeat is only read afterwards. */
const telling = { truncateThreshold: 4000 };

/** Paths of files that take longest, longest first: they begin first, so that nothing waits for one of them in the end. */
const longest = [
  'failure/src/rows/',
  'e2e/src/documented-apis',
  'containers/src/cluster',
  'containers/src/standalone',
  'failure/src/upgrade/',
  'standalone/src/idle',
  'transcode-matrix',
  'full-disk',
  'fuzz.e2e',
  'transcode/listeners',
  'transport/damaged-log-reactor',
  'access-matrix/',
  'continuo/src/backup/',
  'host/damaged-log',
  'transcode/worker-fleet',
  'transcoding/src/target/formats',
  'transcoding/src/work/transcoder',
  'search/hostile',
  'silent-database',
  'scan/',
  'watch/watch',
  'failure/src/disk/',
  'list-hostile',
  'how-to.int',
];

/** Paths of what runs last. A browser gives up its requests when a network interface comes or goes, as those of containers do; sound is listened to in real time, when least else keeps the processors from it. */
const LAST = ['web-page/views', 'web-page/', 'web-page/sound'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const last = LAST.findLastIndex((path) => moduleId.includes(path));
      if (last >= 0) return longest.length + 1 + last;
      const at = longest.findIndex((path) => moduleId.includes(path));
      return at < 0 ? longest.length : at;
    };
    // oxlint-disable-next-line unicorn/no-array-sort -- the method of the sequencer, not that of arrays
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

/**
 * Three kinds of test by file suffix: no I/O, real servers, whole stack. Two more need a Meilisearch server of yours (`pnpm test:meili`) or programs of others
 * (`pnpm test:counterparts`).
 * Files share the modules of their worker (`isolate: false`): to load them anew for each took most of the time of unit tests.
 */
export default defineConfig({
  ...sources,
  test: {
    chaiConfig: telling,
    sequence: { sequencer: LongestFirst },
    projects: [
      { ...sources, test: { name: 'unit', include: specs('unit'), expect: patient, isolate: false } },
      {
        ...sources,
        test: {
          name: 'int',
          sequence: { groupOrder: 1 },
          include: specs('int'),
          globalSetup,
          expect: patient,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          isolate: false,
          // Each waits for servers half of the time: four keep two cores busy.
          maxWorkers: 4,
        },
      },
      {
        ...sources,
        test: { name: 'meili', include: specs('meili'), testTimeout: 120_000, hookTimeout: 600_000, fileParallelism: false },
      },
      {
        ...sources,
        test: {
          name: 'counterpart',
          include: specs('counterpart'),
          globalSetup,
          expect: patient,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
      {
        ...sources,
        test: {
          name: 'e2e',
          sequence: { groupOrder: 2 },
          include: specs('e2e'),
          globalSetup,
          expect: patient,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          isolate: false,
          maxWorkers: 3,
          maxConcurrency: 3,
        },
      },
    ],
  },
});
