import {
  accessLevel,
  addAccessRule,
  Rejection,
  removeAccessRule,
  switchAccessRule,
  userId,
  type AccessRuleTable,
} from '@continuo/contracts';
import { z } from 'zod';
import { compileAccessRules, LEAST_LEVEL, type AccessUse, type HasAuth } from '../../../auth/index.js';
import type { HasReadModel } from '../../../reads/database/database.js';
import { accessRules, type AccessRuleView } from '../../../reads/visibility/access-rules.reads.js';
import { runAndAwaitReadModel, runCommand } from '../../../server/commands.js';
import type { HasCommands, HasConfig } from '../../../server/needs.js';
import { managedAccountsAfter } from '../../../reads/people/managed-accounts.reads.js';
import { cutPage, pageById, pageOf, pageQuery, readCursor, rowsOfPage } from '../cursors.js';
import { operationsUsing, type OperationCall } from '../operation.js';
import { ManageProblem } from '../problems.js';
import { requireAccount } from '../require-account.js';
import { id, idPath } from '../schemas/ids.js';

type Services = HasAuth & HasCommands & HasConfig & HasReadModel;
const { operation } = operationsUsing<Services>();

const type = z
  .enum(['rpc', 'stream', 'interface', 'network'])
  .meta({ description: 'What is admitted: APIs, media, the web page, local networks' });
const address = z.string().min(2).max(64);
const DEFAULT_LEVEL = 75;

const rule = z
  .object({
    id,
    name: z.string(),
    type,
    start: z.string().meta({ description: 'First IPv4 or IPv6 address' }),
    end: z.string().meta({ description: 'Last address' }),
    level: z.int().meta({ description: 'Highest access level that it admits' }),
    userId: id.nullable().meta({ description: 'Null: everybody' }),
    enabled: z.boolean(),
  })
  .meta({ id: 'AccessRule' });

const newRule = z
  .strictObject({
    name: z.string().trim().min(1).max(255).optional(),
    type,
    start: address,
    end: address.optional().meta({ description: 'The start when absent' }),
    level: accessLevel.default(DEFAULT_LEVEL),
    userId: id.nullable().default(null),
    enabled: z.boolean().default(true),
  })
  .meta({ id: 'NewAccessRule' });

const admission = z
  .object({
    accountId: id,
    username: z.string(),
    rpc: z.boolean().meta({ description: 'Whether the APIs let it in from there' }),
    stream: z.boolean().meta({ description: 'Whether it gets media there' }),
    interface: z.boolean().meta({ description: 'Whether the pages let it in from there' }),
  })
  .meta({ id: 'Admission', description: 'A disabled account is let in nowhere' });

const shown = ({ user, ...view }: AccessRuleView): z.output<typeof rule> => ({ ...view, userId: user });

/** @throws ManageProblem `path.not-found` */
const ruleById = async (services: HasReadModel, wanted: number): Promise<AccessRuleView> => {
  const found = (await accessRules(services.db)).find((one) => one.id === wanted);
  if (!found) throw new ManageProblem('path.not-found', `There is no rule ${wanted}`);
  return found;
};

const MAX_NAME = 255;

/** The ends of a range are called otherwise here than in the command. */
const namedAsSent = (error: unknown): never => {
  if (!(error instanceof Rejection) || (error.subject !== 'startAddress' && error.subject !== 'endAddress')) throw error;
  throw new Rejection(error.code, error.message, error.subject.replace('Address', ''), { cause: error });
};

const forced = z.strictObject({
  force: z.boolean().optional().meta({ description: 'True: even if the caller is not admitted any more' }),
});
type Change = OperationCall<{ id: number }, z.output<typeof forced>, unknown, Services>;

const asRow = ({ start, end, user, ...row }: AccessRuleView): AccessRuleTable => ({
  ...row,
  start_address: start,
  end_address: end,
  user_id: user,
});

/**
 * Keeps callers from shutting themselves out, from which nothing but the command line beside the server helps.
 * @throws ManageProblem `access.last-rule` when no other row admits the caller, unless it is forced
 */
const requireWayIn = async ({ params, query, services, request }: Change): Promise<void> => {
  // An operator beside the server is asked for no address.
  if (query.force === true || request.caller.by === 'operator') return;
  const from = services.auth.clientAddress(request.auth);
  const question = { use: 'rpc', address: from, userId: request.caller.account.id, level: LEAST_LEVEL } as const;
  const rules = await accessRules(services.db);
  const admits = (rows: readonly AccessRuleView[]) => compileAccessRules(rows.map(asRow))(question);
  if (!admits(rules) || admits(rules.filter((one) => one.id !== params.id))) return;
  throw new ManageProblem(
    'access.last-rule',
    `Rule ${params.id} is the only one that admits you from ${from}: add another one first, or send force=true`,
  );
};

/** Operations on the access list. */
export const accessListOperations = {
  listAccessRules: operation({
    method: 'GET',
    path: '/access-list',
    family: 'access-list',
    access: 'read',
    summary: 'Lists the rows of the access list by number',
    query: pageQuery,
    answer: pageOf(rule),
    run: async ({ query, services }) => pageById((await accessRules(services.db)).map(shown), query),
  }),
  getAccessRule: operation({
    method: 'GET',
    path: '/access-list/{id}',
    family: 'access-list',
    access: 'read',
    summary: 'Answers a row of the access list',
    params: idPath,
    answer: rule,
    aggregates: async () => [['social', 'access-list', 1]],
    run: async ({ params, services }) => shown(await ruleById(services, params.id)),
  }),
  listAdmissions: operation({
    method: 'GET',
    path: '/admissions',
    family: 'access-list',
    access: 'read',
    summary: 'Lists accounts by name, with what lets each of them in from an address',
    query: pageQuery.extend({
      address: z
        .union([z.ipv4(), z.ipv6()])
        .optional()
        .meta({ description: 'IPv4 or IPv6 address of a client; the caller’s own when absent' }),
    }),
    answer: pageOf(admission),
    run: async ({ query, services: { db, auth }, request }) => {
      const from = query.address ?? auth.clientAddress(request.auth);
      const filter = { after: readCursor(z.string(), query.cursor) ?? '', prefix: '', limit: rowsOfPage(query) };
      const page = cutPage(await managedAccountsAfter(db, filter), query, (row) => row.usernameKey);
      const items = page.items.map(async ({ id: accountId, username, disabled }) => {
        const admits = async (use: AccessUse): Promise<boolean> => !disabled && auth.admits(use, from, userId.parse(accountId));
        return { accountId, username, rpc: await admits('rpc'), stream: await admits('stream'), interface: await admits('interface') };
      });
      return { ...page, items: await Promise.all(items) };
    },
  }),
  createAccessRule: operation({
    method: 'POST',
    path: '/access-list',
    family: 'access-list',
    access: 'write',
    summary: 'Adds a row to the access list',
    body: newRule,
    answer: rule,
    status: 201,
    locate: (made) => `/access-list/${made.id}`,
    run: async ({ body, services, request }) => {
      const { type: use, start, end = start, name = `${use} ${start}`, level, enabled } = body;
      const onlyFor = body.userId === null ? null : await requireAccount(services, body.userId, '/userId');
      const added = { type: use, startAddress: start, endAddress: end, level, userId: onlyFor, name: name.slice(0, MAX_NAME), enabled };
      const { ruleId } = await runAndAwaitReadModel(services, request, { command: addAccessRule }, added).catch(namedAsSent);
      return shown(await ruleById(services, ruleId));
    },
  }),
  changeAccessRule: operation({
    method: 'PATCH',
    path: '/access-list/{id}',
    family: 'access-list',
    access: 'write',
    summary: 'Switches a row of the access list on or off',
    params: idPath,
    query: forced,
    body: z.strictObject({ enabled: z.boolean() }).meta({ id: 'AccessRuleChange' }),
    answer: rule,
    errors: ['access.last-rule'],
    run: async (call) => {
      const { params, body, services, request } = call;
      const { id: ruleId } = await ruleById(services, params.id);
      if (!body.enabled) await requireWayIn(call);
      await runCommand(services, request, switchAccessRule, { ruleId, ...body });
      return shown(await ruleById(services, ruleId));
    },
  }),
  deleteAccessRule: operation({
    method: 'DELETE',
    path: '/access-list/{id}',
    family: 'access-list',
    access: 'write',
    summary: 'Removes a row of the access list',
    params: idPath,
    query: forced,
    errors: ['access.last-rule'],
    run: async (call) => {
      const { params, services, request } = call;
      const { id: ruleId } = await ruleById(services, params.id);
      await requireWayIn(call);
      await runCommand(services, request, removeAccessRule, { ruleId });
    },
  }),
};
