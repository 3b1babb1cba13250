import { Rejection, songId, writeSongTags, writtenTags } from '@continuo/contracts';
import { z } from 'zod';
import { recordPerformed } from '../../../features/operations/record-operation.js';
import { firstAbsent } from '../../../kinds/visible-objects.reads.js';
import type { HasReadModel } from '../../../reads/database/database.js';
import { runLongCommand } from '../../../server/commands.js';
import type { HasCommands, HasConfig } from '../../../server/needs.js';
import { operationsUsing, type OperationCall } from '../operation.js';
import { idPath } from '../schemas/ids.js';
import { filesOutcome } from './scans.operations.js';

type Services = HasCommands & HasConfig & HasReadModel;
const { operation } = operationsUsing<Services>();

/** Decoding a long file twice takes a while, ms. */
const WRITTEN_WITHIN_MS = 20 * 60_000;

const tags = z
  .strictObject(writtenTags.shape)
  .meta({ id: 'SongTags', description: 'Tags that change; an empty text or list, or 0, takes a tag away' });

const write = async ({
  services,
  request,
  viewer,
  params,
  body,
}: OperationCall<{ id: number }, unknown, z.output<typeof tags>, Services>) => {
  if (await firstAbsent(services.db, viewer, [{ kind: 'song', objectId: params.id }])) throw new Rejection('song.not-found');
  await recordPerformed(services, request, 'writeSongTags', params.id);
  const order = { command: writeSongTags, timeoutMs: WRITTEN_WITHIN_MS };
  return runLongCommand(services, request, order, { songId: songId.parse(params.id), tags: body });
};

/** Operations on single songs. */
export const songOperations = {
  writeSongTags: operation({
    method: 'POST',
    path: '/songs/{id}/tag-writes',
    family: 'songs',
    access: 'write',
    summary: 'Writes tags into the file of a song, and reads the file again',
    description: 'Its sound is compared before and after. For this `WRITE_TAGS` has to be on.',
    params: idPath,
    body: tags,
    answer: filesOutcome,
    tagged: false,
    errors: ['song.not-found', 'media.not-found', 'media.failed', 'feature.disabled'],
    run: write,
  }),
};
