import { annotatedKind, MAX_SHOUT_CHARS, makeShout, removeShout, shoutKinds, userId } from '@continuo/contracts';
import { z } from 'zod';
import { shoutById, shoutsBefore, type ManagedShout } from '../../../features/people/shouts.reads.js';
import { firstAbsent } from '../../../kinds/visible-objects.reads.js';
import type { HasReadModel } from '../../../reads/database/database.js';
import { runAndAwaitReadModel, runCommand } from '../../../server/commands.js';
import type { HasCommands, HasConfig } from '../../../server/needs.js';
import { cutPage, pageOf, pageQuery, readCursor, rowsOfPage } from '../cursors.js';
import { required } from '../operate.js';
import { operationsUsing, type OperationCall } from '../operation.js';
import { badField } from '../problems.js';
import { requireAccount } from '../require-account.js';
import { id, idPath } from '../schemas/ids.js';
import { time, timeText } from '../schemas/times.js';

type Services = HasCommands & HasConfig & HasReadModel;
const { operation } = operationsUsing<Services>();

const shout = z
  .object({
    id,
    accountId: id.meta({ description: 'Its author' }),
    kind: annotatedKind.meta({ description: 'Kind of the thing that it is about' }),
    objectId: id,
    text: z.string(),
    at: time,
  })
  .meta({ id: 'Shout' });

const shown = ({ id: number, userId: accountId, kind, objectId, text, atMs }: ManagedShout): z.output<typeof shout> => ({
  id: number,
  accountId,
  kind,
  objectId,
  text,
  at: timeText(atMs),
});

/** @throws ManageProblem `path.not-found` */
const shoutNamed = async ({ db }: HasReadModel, wanted: number): Promise<ManagedShout> =>
  required(await shoutById(db, wanted), `shout ${wanted}`);

const newShout = z
  .strictObject({
    accountId: id.meta({ description: 'In whose name' }),
    kind: z.enum(shoutKinds),
    objectId: id,
    text: z.string().min(1).max(MAX_SHOUT_CHARS),
  })
  .meta({ id: 'NewShout' });

const create = async (call: OperationCall<unknown, unknown, z.output<typeof newShout>, Services>) => {
  const { services, request, viewer, body } = call;
  const { accountId, kind, objectId, text } = body;
  const author = await requireAccount(services, accountId, '/accountId');
  if (await firstAbsent(services.db, viewer, [{ kind, objectId }])) throw badField('/objectId', `there is no ${kind} ${objectId}`);
  const { shoutId } = await runAndAwaitReadModel(services, request, { command: makeShout }, { userId: author, kind, objectId, text });
  return shown(await shoutNamed(services, shoutId));
};

/** Operations on shouts: what people say about things, for everybody to read. */
export const shoutOperations = {
  listShouts: operation({
    method: 'GET',
    path: '/shouts',
    family: 'shouts',
    access: 'read',
    summary: 'Lists what people say about songs, albums and artists, the latest first',
    query: pageQuery,
    answer: pageOf(shout),
    run: async ({ query, services }) => {
      const before = readCursor(z.object({ atMs: z.int(), id: z.int() }), query.cursor);
      const rows = await shoutsBefore(services.db, { before, limit: rowsOfPage(query) });
      const page = cutPage(rows, query, (row) => ({ atMs: row.atMs, id: row.id }));
      return { ...page, items: page.items.map(shown) };
    },
  }),
  getShout: operation({
    method: 'GET',
    path: '/shouts/{id}',
    family: 'shouts',
    access: 'read',
    summary: 'Answers a shout',
    params: idPath,
    answer: shout,
    aggregates: async ({ params, services }) => [['identity', 'shouts', (await shoutNamed(services, params.id)).userId]],
    run: async ({ params, services }) => shown(await shoutNamed(services, params.id)),
  }),
  createShout: operation({
    method: 'POST',
    path: '/shouts',
    family: 'shouts',
    access: 'write',
    summary: 'Says something about a thing in the name of an account',
    body: newShout,
    answer: shout,
    status: 201,
    locate: (made) => `/shouts/${made.id}`,
    run: create,
  }),
  deleteShout: operation({
    method: 'DELETE',
    path: '/shouts/{id}',
    family: 'shouts',
    access: 'write',
    summary: 'Deletes a shout',
    params: idPath,
    run: async ({ params, services, request }) => {
      const { userId: author, number } = await shoutNamed(services, params.id);
      await runCommand(services, request, removeShout, { userId: userId.parse(author), number });
    },
  }),
};
