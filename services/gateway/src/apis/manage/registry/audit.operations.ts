import { eventStreamName, eventStreams, type Context } from '@continuo/contracts';
import type { AuditEntry } from '@continuo/operations';
import { z } from 'zod';
import type { HasOperations } from '../../../features/operations/operations.js';
import type { HasReadModel } from '../../../reads/database/database.js';
import { namesOfAccounts } from '../../../reads/people/managed-accounts.reads.js';
import { pageOf, pageQuery, readCursor } from '../cursors.js';
import { operate } from '../operate.js';
import { operationsUsing } from '../operation.js';
import { id } from '../schemas/ids.js';
import { time, timeText } from '../schemas/times.js';

type Services = HasOperations & HasReadModel;
const { operation } = operationsUsing<Services>();

const act = z
  .object({
    id: z.string().meta({ description: 'Log and position' }),
    at: time,
    actor: z
      .object({
        type: z.enum(['account', 'visitor', 'program']).meta({ description: '`visitor`: somebody without a login' }),
        accountId: id.nullable(),
        name: z.string().nullable().meta({ description: 'Of the account as it is called now, or of the program' }),
      })
      .meta({ id: 'Actor' }),
    action: z.string().meta({ description: 'Name of the event' }),
    context: z.string(),
    object: z.object({ type: z.string(), id: z.string() }).meta({ id: 'ActedOn' }),
    correlationId: z.string().meta({ description: 'The same for everything that one request caused' }),
  })
  .meta({ id: 'AuditEntry' });

const USER = /^user:(?<id>\d{1,10})$/;
const accountOf = ({ actor }: AuditEntry): number | null => {
  const number = USER.exec(actor)?.groups?.['id'];
  return number === undefined ? null : Number(number);
};

const contextOf = Object.fromEntries(Object.entries(eventStreams).map(([context, stream]) => [stream, context]));

const shown = (entry: AuditEntry, names: ReadonlyMap<number, string>): z.output<typeof act> => {
  const accountId = accountOf(entry);
  const type = accountId !== null ? 'account' : entry.actor === 'anonymous' ? 'visitor' : 'program';
  const name = accountId !== null ? (names.get(accountId) ?? null) : type === 'program' ? entry.actor : null;
  return {
    id: `${entry.stream}:${entry.position}`,
    at: timeText(entry.atMs),
    actor: { type, accountId, name },
    action: entry.type,
    context: contextOf[entry.stream] ?? '',
    object: { type: entry.aggregate, id: entry.objectId },
    correlationId: entry.correlationId,
  };
};

const mark = z.partialRecord(eventStreamName, z.int().positive());
const contexts = Object.keys(eventStreams) as [Context, ...Context[]];

const auditQuery = pageQuery.extend({
  context: z.enum(contexts).optional().meta({ description: 'Only acts in this part of the server' }),
  objectType: z
    .string()
    .regex(/^[a-z][a-z-]{0,63}$/)
    .optional()
    .meta({ description: 'Only acts on this kind of thing, such as `catalog` or `user`' }),
  objectId: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,128}(?:\.[A-Za-z0-9_-]{1,128}){0,7}$/)
    .optional()
    .meta({ description: 'Only acts on the thing of this id' }),
  accountId: id.optional().meta({ description: 'Only acts of this account' }),
  program: z
    .string()
    .regex(/^[a-z][a-z-]{0,63}$/)
    .optional()
    .meta({ description: 'Only acts of this program, such as `continuo-cli` or `system`' }),
});

/** Operations on the audit trail. */
export const auditOperations = {
  listAuditTrail: operation({
    method: 'GET',
    path: '/audit',
    family: 'audit',
    access: 'read',
    summary: 'Lists who did what when, the latest first',
    description:
      'Read from the event log. A page looks through a bounded part of it: a filter that matches little may make a page short or empty although there are more; ask on while `nextCursor` is not null.',
    query: auditQuery,
    answer: pageOf(act),
    run: async ({ query, services }) => {
      const { context, objectType, objectId, accountId, program, limit } = query;
      const actor = accountId === undefined ? program : `user:${accountId}`;
      const before = readCursor(mark, query.cursor);
      const page = await operate(services, ({ library, session }) =>
        library.auditPage(session, { context, aggregate: objectType, objectId, actor }, { before, limit }),
      );
      const names = await namesOfAccounts(services.db, [...new Set(page.entries.flatMap((entry) => accountOf(entry) ?? []))]);
      const nextCursor = page.next ? Buffer.from(JSON.stringify(page.next)).toString('base64url') : null;
      return { items: page.entries.map((entry) => shown(entry, names)), nextCursor };
    },
  }),
};
