import { rateObject } from '@continuo/contracts';
import { z } from 'zod';
import type { HasReadModel } from '../../../reads/database/database.js';
import { unratedAfter } from '../../../reads/songs/tag-ratings.reads.js';
import { runCommand } from '../../../server/commands.js';
import type { HasCommands, HasConfig } from '../../../server/needs.js';
import { messageContext } from '../../../server/requests/request-context.js';
import { operationsUsing, type OperationCall } from '../operation.js';
import { requireAccount } from '../require-account.js';
import { id } from '../schemas/ids.js';

type Services = HasCommands & HasConfig & HasReadModel;
const { operation } = operationsUsing<Services>();

/** Songs of one request. */
const SONGS_AT_ONCE = 500;

const newImport = z
  .strictObject({
    accountId: id,
    catalogId: id.optional().meta({ description: 'Only songs of this catalog' }),
    afterSongId: z.int().min(0).default(0).meta({ description: 'The `nextSongId` of the answer before' }),
    dryRun: z.boolean().default(false).meta({ description: 'Only counts them' }),
  })
  .meta({ id: 'NewRatingImport' });

const imported = z
  .object({
    songCount: z.int().meta({ description: 'Songs that were rated, or would be' }),
    nextSongId: z.int().nullable().meta({ description: 'Where to go on; null at the end' }),
  })
  .meta({ id: 'RatingImport' });

const importRatings = async (call: OperationCall<unknown, unknown, z.output<typeof newImport>, Services>) => {
  const { services, request, viewer, body } = call;
  const userId = await requireAccount(services, body.accountId, '/accountId');
  const wanted = { accountId: userId, catalogId: body.catalogId, afterId: body.afterSongId, limit: SONGS_AT_ONCE };
  const songs = await unratedAfter(services.db, viewer, wanted);
  const last = songs.at(-1);
  if (!body.dryRun)
    for (const { songId, stars } of songs) {
      const rating = { userId, kind: 'song', objectId: songId, rating: stars } as const;
      // Only the last one is waited for: the others are in the log before it.
      if (songId === last?.songId) await runCommand(services, request, rateObject, rating);
      else await services.commands.send(rateObject, rating, messageContext(request));
    }
  return { songCount: songs.length, nextSongId: songs.length < SONGS_AT_ONCE ? null : (last?.songId ?? null) };
};

/** Operations on ratings. */
export const ratingOperations = {
  importRatings: operation({
    method: 'POST',
    path: '/rating-imports',
    family: 'ratings',
    access: 'write',
    summary: 'Makes what tags say the ratings of an account, for some hundred songs at once',
    description: 'Songs that the account has rated itself stay as they are. Repeat it with `afterSongId` until `nextSongId` is null.',
    body: newImport,
    answer: imported,
    tagged: false,
    run: importRatings,
  }),
};
