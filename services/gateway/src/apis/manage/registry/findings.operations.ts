import { z } from 'zod';
import type { HasReadModel } from '../../../reads/database/database.js';
import { findingKinds, findingsAfter, type FindingKind } from '../../../reads/library/findings.reads.js';
import { cutPage, pageOf, pageQuery, readCursor, rowsOfPage } from '../cursors.js';
import { operationsUsing } from '../operation.js';
import { id } from '../schemas/ids.js';

const { operation } = operationsUsing<HasReadModel>();

/** Marks by kind, as cursors hold them. */
const text = z
  .string()
  .max(1000)
  .refine((mark) => !mark.includes('\0'));
const number = z.string().regex(/^\d{12}$/);
const marks: Readonly<Record<FindingKind, z.ZodType<string>>> = {
  'duplicate-songs': text,
  'albums-without-art': number,
  'split-albums': text,
  'similar-artists': text,
  'skipped-files': number,
};

const finding = z
  .object({
    mark: z.string().meta({ description: 'Tells it from other findings of its kind' }),
    name: z.string(),
    objects: z
      .array(
        z.object({
          type: z.enum(['song', 'album', 'artist', 'catalog']),
          id,
          name: z.string(),
          detail: z.string().meta({ description: 'Path of a song in its catalog, artist of an album, reason of a catalog' }),
          songCount: z.int(),
          sizeBytes: z.int().meta({ description: '0 for artists and catalogs' }),
          filesSkipped: z.int().optional().meta({ description: 'Files of a catalog that scans left out for the reason' }),
        }),
      )
      .meta({ description: 'What it is about, at most 20' }),
  })
  .meta({ id: 'Finding' });

/** Operations on what may want care in the library. */
export const findingOperations = {
  listFindings: operation({
    method: 'GET',
    path: '/findings/{kind}',
    family: 'catalogs',
    access: 'read',
    summary: 'Lists what may want care in the library, by mark',
    description:
      '`duplicate-songs`: files with the same sound. `albums-without-art`. `split-albums`: albums of one name with files in one folder. `similar-artists`: names that differ in punctuation, blanks or the word for “and” alone. `skipped-files`: catalogs with files that scans left out, one object for each reason.',
    params: z.strictObject({ kind: z.enum(findingKinds) }),
    query: pageQuery,
    answer: pageOf(finding),
    run: async ({ params: { kind }, query, services, viewer }) => {
      const after = readCursor(marks[kind], query.cursor) ?? '';
      const rows = await findingsAfter(services.db, kind, { viewer, after, limit: rowsOfPage(query) });
      const page = cutPage(rows, query, ({ mark }) => mark);
      return { ...page, items: page.items.map(({ objects, ...rest }) => ({ ...rest, objects: [...objects] })) };
    },
  }),
};
