import { genreId, hideGenre, mergeGenre, Rejection, showGenre, sortKey, unmergeGenre } from '@continuo/contracts';
import { z } from 'zod';
import type { HasReadModel } from '../../../reads/database/database.js';
import { genresAfter, genresByIds, type GenreView } from '../../../reads/library/genres.reads.js';
import type { Viewer } from '../../../reads/visibility/viewer.js';
import { runCommand } from '../../../server/commands.js';
import type { HasCommands, HasConfig } from '../../../server/needs.js';
import { cutPage, pageOf, pageQuery, readCursor, rowsOfPage } from '../cursors.js';
import { operationsUsing, type OperationCall } from '../operation.js';
import { id, idPath } from '../schemas/ids.js';

type Services = HasCommands & HasConfig & HasReadModel;
const { operation } = operationsUsing<Services>();

const count = z.int().min(0);
const genre = z
  .object({
    id,
    name: z.string(),
    hidden: z.boolean().meta({ description: 'Lists of genres leave it out: it is hidden, or merged into others' }),
    mergedInto: z.array(z.object({ id, name: z.string() })).meta({ description: 'Genres that songs carry in its place' }),
    songCount: count,
    albumCount: count,
    artistCount: count,
  })
  .meta({ id: 'Genre' });

const shown = ({ videoCount: _videos, ...view }: GenreView): z.output<typeof genre> => ({ ...view, mergedInto: [...view.mergedInto] });

/** @throws Rejection `genre.not-found` */
const genreById = async ({ db }: HasReadModel, viewer: Viewer, wanted: number): Promise<z.output<typeof genre>> => {
  const [found] = await genresByIds(db, [wanted], viewer);
  if (!found) throw new Rejection('genre.not-found', undefined, String(wanted));
  return shown(found);
};

const MAX_TARGETS = 100;
const genreChange = z
  .strictObject({
    hidden: z.boolean().meta({ description: 'Takes it out of lists of genres, or puts it back; songs keep it' }),
    mergedInto: z
      .array(id)
      .max(MAX_TARGETS)
      .meta({ description: 'Genres that songs carry in its place, now and later; none: songs carry it where their tags name it' }),
  })
  .partial()
  .meta({ id: 'GenreChange' });

const change = async (call: OperationCall<{ id: number }, unknown, z.output<typeof genreChange>, Services>) => {
  const { services, request, viewer, params, body } = call;
  const known = genreId.parse((await genreById(services, viewer, params.id)).id);
  const { hidden, mergedInto } = body;
  if (mergedInto?.length === 0) await runCommand(services, request, unmergeGenre, { genreId: known });
  else if (mergedInto) await runCommand(services, request, mergeGenre, { genreId: known, intoIds: mergedInto });
  if (hidden !== undefined) await runCommand(services, request, hidden ? hideGenre : showGenre, { genreId: known });
  return genreById(services, viewer, known);
};

const cursor = z.object({ key: z.string(), id: z.int() });

/** Operations on genres. */
export const genreOperations = {
  listGenres: operation({
    method: 'GET',
    path: '/genres',
    family: 'genres',
    access: 'read',
    summary: 'Lists genres by name, hidden ones included',
    query: pageQuery.extend({
      name: z.string().max(1000).optional().meta({ description: 'Of this name, in any case and without accents' }),
    }),
    answer: pageOf(genre),
    run: async ({ query, services, viewer }) => {
      const after = readCursor(cursor, query.cursor) ?? { key: '', id: 0 };
      const wanted = { after, limit: rowsOfPage(query), ...(query.name === undefined ? {} : { name: query.name }) };
      const page = cutPage(await genresAfter(services.db, viewer, wanted), query, (row) => ({ key: sortKey(row.name), id: row.id }));
      return { ...page, items: page.items.map(shown) };
    },
  }),
  getGenre: operation({
    method: 'GET',
    path: '/genres/{id}',
    family: 'genres',
    access: 'read',
    summary: 'Answers a genre',
    params: idPath,
    answer: genre,
    errors: ['genre.not-found'],
    aggregates: async () => [['library', 'genres', 'all']],
    run: ({ params, services, viewer }) => genreById(services, viewer, params.id),
  }),
  changeGenre: operation({
    method: 'PATCH',
    path: '/genres/{id}',
    family: 'genres',
    access: 'write',
    summary: 'Hides a genre, or merges it into others, or takes that back',
    params: idPath,
    body: genreChange,
    answer: genre,
    errors: ['genre.not-found'],
    run: change,
  }),
};
