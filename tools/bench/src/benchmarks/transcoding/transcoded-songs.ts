import { cpus } from 'node:os';
import { join } from 'node:path';
import { makeNoise } from '@continuo/media-fixtures';
import { newCatalog, scanCatalog } from '../../harness/library.js';
import type { StandaloneProcess } from '../../harness/standalone-process.js';

/** Count and length of the short songs, seconds. */
export const SHORT = { count: 20, seconds: 30 } as const;
export const BATCH = { count: 24, seconds: 60 } as const;
export const LONG = { count: cpus().length, seconds: 300 } as const;

/** Songs that are converted, by their ids. */
export interface TranscodedSongs {
  readonly short: readonly number[];
  readonly batch: readonly number[];
  readonly long: readonly number[];
}

const kinds = Object.entries({ short: SHORT, batch: BATCH, long: LONG });

/** Makes the songs and has them scanned. */
export const transcodedSongs = async ({ session }: StandaloneProcess, workFolder: string): Promise<TranscodedSongs> => {
  const folder = join(workFolder, 'transcoded');
  for (const [kind, { count, seconds }] of kinds)
    await makeNoise(
      folder,
      Array.from({ length: count }, (_, n) => `${kind} ${String(n + 1).padStart(2, '0')}`),
      seconds,
    );
  await scanCatalog(session, await newCatalog(session, 'Transcoded', folder));
  const rows = await session.db.selectFrom('library.song').select(['id', 'title']).orderBy('title').execute();
  const of = (kind: string): number[] => rows.filter(({ title }) => title.startsWith(`${kind} `)).map(({ id }) => id);
  return { short: of('short'), batch: of('batch'), long: of('long') };
};
