import { rawQuery, type ProjectedQuery } from '@continuo/chassis';
import { sql } from 'kysely';
import { keptSumsOfAll, keptSumTriggers, summingIndexes } from './catalogue.ddl.js';
import { albumContributions, genresOfSongs, songsCounted } from './contributions.js';
import { folderSongsOfAll } from './folder-queries.js';
import type { Handle } from './handle.js';
import { albumSummaries, artistSummaries, forgetTouched } from './summary-queries.js';

/**
 * Sums up tables that hold nothing but rows: what a batch does for the albums and artists that it touches, for all of them at once. Afterwards the tables are as if each batch had done so,
 * and have what the next one needs for that.
 */
export const derivations = (db: Handle): ProjectedQuery[] => {
  const raw = (statements: readonly string[]): ProjectedQuery[] => statements.map((statement) => rawQuery(sql.raw(statement), db));
  const songs = sql`select id from song`;
  return [
    ...raw([
      ...summingIndexes,
      'insert into touched_album select id from album',
      // Those with nothing to sum up get a document as well.
      'insert into touched_artist (artist_id) select id from artist',
    ]),
    ...albumSummaries(db),
    albumContributions(1, db),
    ...songsCounted(1, songs, db),
    genresOfSongs(1, songs, db),
    folderSongsOfAll(db),
    ...artistSummaries(db),
    forgetTouched(db),
    ...raw([...keptSumsOfAll, ...keptSumTriggers]),
  ];
};
