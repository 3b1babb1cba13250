import { dropDeadLetter, replayDeadLetters, type DeadLetter } from '@continuo/chassis';
import { z } from 'zod';
import type { HasOperations } from '../../../features/operations/operations.js';
import { recordPerformed } from '../../../features/operations/record-operation.js';
import type { HasCommands } from '../../../server/needs.js';
import { cutPage, pageOf, pageQuery, readCursor, rowsOfPage } from '../cursors.js';
import { operate, required } from '../operate.js';
import { operationsUsing } from '../operation.js';
import { id, idPath } from '../schemas/ids.js';
import { time, timeText } from '../schemas/times.js';

const { operation } = operationsUsing<HasOperations & HasCommands>();

const MOST_RETRIED = 500;
/** Bytes of a message that are answered. */
const SHOWN_BYTES = 64 * 1024;

const subject = z
  .string()
  .regex(/^[\w.*>-]{1,255}$/)
  .meta({ description: 'Subject of a message, such as `jobs.ingest.scan-catalog`; NATS wildcards are allowed' });

const letterFields = {
  id,
  subject: z.string().meta({ description: 'Where it goes when it is retried' }),
  reason: z.string().meta({ description: 'Why nobody could handle it' }),
  attempts: z.int(),
  givenUpAt: time,
  sizeBytes: z.int(),
};
const deadLetter = z.object(letterFields).meta({ id: 'DeadLetter' });
const fullLetter = z
  .object({
    ...letterFields,
    payload: z.string().meta({ description: 'The message as text, at most its first 64 KiB' }),
    isWhole: z.boolean().meta({ description: 'False for a payload that was cut' }),
  })
  .meta({ id: 'DeadLetterWithPayload' });

const shown = ({ sequence, subject: to, reason, attempts, atMs, payload }: DeadLetter): z.output<typeof deadLetter> => ({
  id: sequence,
  subject: to,
  reason,
  attempts,
  givenUpAt: timeText(atMs),
  sizeBytes: payload.byteLength,
});

const withPayload = (letter: DeadLetter): z.output<typeof fullLetter> => ({
  ...shown(letter),
  payload: new TextDecoder().decode(letter.payload.subarray(0, SHOWN_BYTES)),
  isWhole: letter.payload.byteLength <= SHOWN_BYTES,
});

/** Operations on messages that nobody could handle. */
export const deadLetterOperations = {
  listDeadLetters: operation({
    method: 'GET',
    path: '/dead-letters',
    family: 'dead-letters',
    access: 'read',
    summary: 'Lists messages that nobody could handle, the oldest first',
    query: pageQuery.extend({ subject: subject.optional() }),
    answer: pageOf(deadLetter),
    run: async ({ query, services }) =>
      operate(services, async ({ library, session }) => {
        const after = readCursor(z.int().min(0), query.cursor) ?? 0;
        const filter = { after, limit: rowsOfPage(query), ...(query.subject === undefined ? {} : { subject: query.subject }) };
        const letters = await library.deadLetters(session, filter);
        const page = cutPage(letters, query, ({ sequence }) => sequence);
        return { ...page, items: page.items.map(shown) };
      }),
  }),
  getDeadLetter: operation({
    method: 'GET',
    path: '/dead-letters/{id}',
    family: 'dead-letters',
    access: 'read',
    summary: 'Answers a message that nobody could handle, with its payload',
    params: idPath,
    answer: fullLetter,
    run: async ({ params, services }) =>
      operate(services, async ({ library, session }) => {
        const [letter] = await library.deadLetters(session, { sequences: [params.id] });
        return withPayload(required(letter, `dead letter ${params.id}`));
      }),
  }),
  retryDeadLetters: operation({
    method: 'POST',
    path: '/dead-letters/retries',
    family: 'dead-letters',
    access: 'write',
    summary: 'Sends messages to where they were meant to go, once the cause is gone',
    description:
      'Those that are named, or the oldest ones that match the subject, at most 500. Those that were sent are dead letters no more.',
    body: z
      .strictObject({ ids: z.array(id).min(1).max(MOST_RETRIED), subject })
      .partial()
      .meta({ id: 'DeadLetterRetry' }),
    answer: z.object({ retried: z.int() }).meta({ id: 'DeadLettersRetried' }),
    tagged: false,
    errors: ['conflict', 'unavailable'],
    run: async ({ body: { ids, subject: wanted }, services, request }) =>
      operate(services, async ({ session }) => {
        await recordPerformed(services, request, 'retryDeadLetters');
        const filter = { limit: MOST_RETRIED, ...(ids ? { sequences: ids } : {}), ...(wanted === undefined ? {} : { subject: wanted }) };
        return { retried: await replayDeadLetters(session.nats, filter) };
      }),
  }),
  deleteDeadLetter: operation({
    method: 'DELETE',
    path: '/dead-letters/{id}',
    family: 'dead-letters',
    access: 'write',
    summary: 'Drops a message for good, without sending it again',
    params: idPath,
    errors: ['unavailable'],
    run: async ({ params, services, request }) =>
      operate(services, async ({ library, session }) => {
        const missing = `dead letter ${params.id}`;
        required((await library.deadLetters(session, { sequences: [params.id] }))[0], missing);
        await recordPerformed(services, request, 'deleteDeadLetter', params.id);
        required((await dropDeadLetter(session.nats, params.id)) || undefined, missing);
      }),
  }),
};
