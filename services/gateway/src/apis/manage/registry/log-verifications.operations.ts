import { damageOf, sizeOf } from '@continuo/chassis';
import { eventStreams } from '@continuo/contracts';
import { z } from 'zod';
import type { HasLongWork, WorkRecord } from '../../../features/operations/long-work.js';
import type { HasOperations } from '../../../features/operations/operations.js';
import { messageContext } from '../../../server/requests/request-context.js';
import { cutPage, pageOf, pageQuery, readCursor, rowsOfPage } from '../cursors.js';
import { operate, required } from '../operate.js';
import { operationsUsing } from '../operation.js';
import { word, workPath } from '../schemas/ids.js';
import { shownWork, workFields } from '../schemas/work.js';

type Services = HasOperations & HasLongWork;
const { operation } = operationsUsing<Services>();

const stream = z.enum(Object.values(eventStreams)).meta({ description: 'Event stream' });

const found = z
  .object({
    lastPosition: z.int(),
    damage: z.string().nullable().meta({ description: 'What is missing; null for a stream that is whole' }),
    acceptedPositions: z.int().meta({ description: 'Missing positions whose loss was accepted' }),
  })
  .meta({ id: 'LogIntegrity' });

const verification = z
  .object({ ...workFields, stream, result: found.nullable().meta({ description: 'Null until the end' }) })
  .meta({ id: 'LogVerification' });

const shown = (record: WorkRecord): z.output<typeof verification> => ({
  ...shownWork(record),
  stream: stream.parse(record.subject),
  result: record.state === 'done' ? found.parse(record.result) : null,
});

/** Operations that read the event log through. */
export const logVerificationOperations = {
  listLogVerifications: operation({
    method: 'GET',
    path: '/log-verifications',
    family: 'checks',
    access: 'read',
    summary: 'Lists verifications of event streams of the last thirty days, the latest first',
    query: pageQuery,
    answer: pageOf(verification),
    run: async ({ query, services }) => {
      const before = readCursor(word, query.cursor);
      const records = await services.longWork.list('log-verification', { before, limit: rowsOfPage(query) });
      const page = cutPage(records, query, ({ id }) => id);
      return { ...page, items: page.items.map(shown) };
    },
  }),
  getLogVerification: operation({
    method: 'GET',
    path: '/log-verifications/{id}',
    family: 'checks',
    access: 'read',
    summary: 'Answers a verification of an event stream, with its progress or what was found',
    params: workPath,
    answer: verification,
    run: async ({ params: { id }, services }) =>
      shown(required(await services.longWork.find('log-verification', id), `verification ${id}`)),
  }),
  startLogVerification: operation({
    method: 'POST',
    path: '/log-verifications',
    family: 'checks',
    access: 'write',
    summary: 'Reads every message of an event stream and tells whether one is missing',
    body: z.strictObject({ stream }).meta({ id: 'NewLogVerification' }),
    answer: verification,
    status: 202,
    tagged: false,
    errors: ['conflict', 'unavailable'],
    locate: ({ id }) => `/log-verifications/${id}`,
    run: async ({ body, services, request }) => {
      const order = { kind: 'log-verification', subject: body.stream, options: {}, context: messageContext(request) } as const;
      const record = await services.longWork.start(order, (tell) =>
        operate(services, async ({ library, session }) => {
          const onProgress = (done: number, total: number): void => tell({ done, total, unit: 'positions' });
          const integrity = await library.verifyStream(session, body.stream, onProgress);
          const { lastPosition, acceptedLoss } = integrity.state;
          return { lastPosition, damage: damageOf(integrity) ?? null, acceptedPositions: sizeOf(acceptedLoss) };
        }),
      );
      return shown(record);
    },
  }),
};
