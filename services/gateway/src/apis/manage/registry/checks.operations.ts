import { z } from 'zod';
import { operatorAccess } from '../../../features/operations/operator-access.js';
import type { HasOperations, OperatorTools } from '../../../features/operations/operations.js';
import type { GatewayConfig } from '../../../server/config.js';
import type { HasClock, HasConfig } from '../../../server/needs.js';
import { cutPage, pageOf, pageQuery, readCursor, rowsOfPage } from '../cursors.js';
import { operate } from '../operate.js';
import { operationsUsing } from '../operation.js';
import { time, timeText } from '../schemas/times.js';

type Services = HasOperations & HasConfig & HasClock;
const { operation } = operationsUsing<Services>();

/** Findings are answered so long again: checks take seconds, and pages should be of the same ones. */
const FRESH_MS = 10_000;

const check = z
  .object({
    subject: z.string().meta({ description: 'What was looked at' }),
    status: z.enum(['ok', 'warning', 'fault']),
    detail: z.string(),
    remedy: z.string().nullable().meta({ description: 'What helps; null when all is well' }),
    checkedAt: time,
  })
  .meta({ id: 'Check' });

interface Examination {
  readonly atMs: number;
  readonly checks: Promise<z.output<typeof check>[]>;
}

/** The latest examination of each server in this process. */
const examinations = new WeakMap<GatewayConfig, Examination>();

const examine = async ({ library }: OperatorTools, config: GatewayConfig, atMs: number): Promise<z.output<typeof check>[]> => {
  const { access, settings } = operatorAccess(config);
  const findings = await library.examineServer(access, settings);
  return findings.map(({ remedy = null, ...finding }) => ({ ...finding, remedy, checkedAt: timeText(atMs) }));
};

/** Everybody who asks at the same time gets the same examination, but for those who want a new one. */
const latest = (services: Services, isNew: boolean): Promise<z.output<typeof check>[]> => {
  const { config, now } = services;
  const known = examinations.get(config);
  if (!isNew && known && now() - known.atMs < FRESH_MS) return known.checks;
  const atMs = now();
  const checks = operate(services, (tools) => examine(tools, config, atMs));
  examinations.set(config, { atMs, checks });
  checks.catch(() => examinations.delete(config));
  return checks;
};

/** Operations on the checks of the doctor. */
export const checkOperations = {
  listChecks: operation({
    method: 'GET',
    path: '/checks',
    family: 'checks',
    access: 'read',
    summary: 'Examines everything that the server needs, and lists what was found, in order',
    description: 'Takes some seconds. What was found is answered again for ten seconds.',
    query: pageQuery.extend({
      status: check.shape.status.optional().meta({ description: 'Only findings of this status' }),
      fresh: z.boolean().default(false).meta({ description: 'Examines anew, whatever was found in the last ten seconds' }),
    }),
    answer: pageOf(check),
    errors: ['unavailable'],
    run: async ({ query, services }) => {
      const from = readCursor(z.int().min(0), query.cursor) ?? 0;
      const found = (await latest(services, query.fresh)).filter(({ status }) => query.status === undefined || status === query.status);
      const rows = found.map((one, index) => ({ one, index })).slice(from, from + rowsOfPage(query));
      const page = cutPage(rows, query, ({ index }) => index + 1);
      return { ...page, items: page.items.map(({ one }) => one) };
    },
  }),
};
