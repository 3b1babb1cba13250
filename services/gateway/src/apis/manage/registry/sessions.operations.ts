import { userId } from '@continuo/contracts';
import { z } from 'zod';
import type { HasAuth, SessionView } from '../../../auth/auth.js';
import { recordPerformed } from '../../../features/operations/record-operation.js';
import type { HasReadModel } from '../../../reads/database/database.js';
import type { HasCommands } from '../../../server/needs.js';
import { cutPage, pageOf, pageQuery, readCursor, rowsOfPage } from '../cursors.js';
import { required } from '../operate.js';
import { operationsUsing } from '../operation.js';
import { id, idPath, word } from '../schemas/ids.js';
import { time, timeText, timeTextOrNull } from '../schemas/times.js';
import { accountById } from './accounts.operations.js';

type Services = HasAuth & HasCommands & HasReadModel;
const { operation } = operationsUsing<Services>();

const session = z
  .object({
    id: word.meta({ description: 'Names it and opens nothing' }),
    kind: z
      .enum(['web', 'player', 'api-key'])
      .meta({ description: 'Web page, player that has logged in, or client that sends its key each time' }),
    client: z.string().meta({ description: 'As it named itself; empty when it did not' }),
    openedAt: time.nullable(),
    expiresAt: time.nullable().meta({ description: 'Moves on with use; null: never' }),
  })
  .meta({ id: 'Session' });

const shown = ({ openedAtMs, expiresAtMs, ...rest }: SessionView): z.output<typeof session> => ({
  ...rest,
  openedAt: openedAtMs === undefined ? null : timeText(openedAtMs),
  expiresAt: timeTextOrNull(expiresAtMs),
});

/** Live sessions of an account, the latest first. @throws Rejection `user.not-found` */
const sessionsOf = async (services: Services, wanted: number): Promise<readonly SessionView[]> =>
  services.auth.web.sessions(userId.parse((await accountById(services, wanted)).id));

const sessionPath = z.strictObject({ id, session: word });

/** @throws Rejection `user.not-found`, ManageProblem `path.not-found` */
const sessionNamed = async (services: Services, params: z.output<typeof sessionPath>): Promise<SessionView> =>
  required(
    (await sessionsOf(services, params.id)).find((one) => one.id === params.session),
    `session ${params.session}`,
  );

/** Operations on the sessions of accounts. */
export const sessionOperations = {
  listSessions: operation({
    method: 'GET',
    path: '/accounts/{id}/sessions',
    family: 'accounts',
    access: 'read',
    summary: 'Lists the live sessions of an account, the latest first',
    params: idPath,
    query: pageQuery,
    answer: pageOf(session),
    errors: ['user.not-found'],
    run: async ({ params, query, services }) => {
      const from = readCursor(z.int().min(0), query.cursor) ?? 0;
      const sessions = (await sessionsOf(services, params.id)).map((one, index) => ({ one, index }));
      const page = cutPage(sessions.slice(from, from + rowsOfPage(query)), query, ({ index }) => index + 1);
      return { ...page, items: page.items.map(({ one }) => shown(one)) };
    },
  }),
  getSession: operation({
    method: 'GET',
    path: '/accounts/{id}/sessions/{session}',
    family: 'accounts',
    access: 'read',
    summary: 'Answers a live session of an account',
    params: sessionPath,
    answer: session,
    errors: ['user.not-found'],
    volatile: ['expiresAt'],
    run: async ({ params, services }) => shown(await sessionNamed(services, params)),
  }),
  endSession: operation({
    method: 'DELETE',
    path: '/accounts/{id}/sessions/{session}',
    family: 'accounts',
    access: 'write',
    summary: 'Ends a session of an account, on every gateway',
    params: sessionPath,
    errors: ['user.not-found', 'unavailable'],
    run: async ({ params, services, request }) => {
      const { id: ended } = await sessionNamed(services, params);
      await recordPerformed(services, request, 'endSession', `${params.id}.${ended}`);
      await services.auth.web.endSession(userId.parse(params.id), ended);
    },
  }),
};
