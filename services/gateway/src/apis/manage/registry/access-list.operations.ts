import { accessLevel, Rejection, removeAccessRule, switchAccessRule } from '@continuo/contracts';
import { z } from 'zod';
import { accessRuleById, addRule } from '../../../features/access-list.js';
import type { HasReadModel } from '../../../reads/database/database.js';
import { accessRules, type AccessRuleView } from '../../../reads/visibility/access-rules.reads.js';
import { runCommand } from '../../../server/commands.js';
import type { HasCommands, HasConfig } from '../../../server/needs.js';
import { pageById, pageOf, pageQuery } from '../cursors.js';
import { operationsUsing } from '../operation.js';
import { ManageProblem } from '../problems.js';
import { id, idPath } from '../schemas/ids.js';

type Services = HasCommands & HasConfig & HasReadModel;
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

const shown = ({ user, ...view }: AccessRuleView): z.output<typeof rule> => ({ ...view, userId: user });

/** @throws ManageProblem `path.not-found` */
const ruleById = async (services: HasReadModel, wanted: number): Promise<AccessRuleView> => {
  const found = await accessRuleById(services, wanted);
  if (!found) throw new ManageProblem('path.not-found', `There is no rule ${wanted}`);
  return found;
};

/** @throws Rejection `user.not-found` is about the body here, not about the address */
const aboutUser = (error: unknown): never => {
  if (!(error instanceof Rejection) || error.code !== 'user.not-found') throw error;
  const detail = 'there is no such account';
  throw new ManageProblem('input.invalid', `/userId ${detail}`, [{ in: 'body', pointer: '/userId', detail }]);
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
    run: async ({ body: { userId, ...wanted }, services, request }) => {
      const added = addRule(services, request, { ...wanted, user: userId === null ? null : String(userId) });
      return shown(await ruleById(services, await added.catch(aboutUser)));
    },
  }),
  changeAccessRule: operation({
    method: 'PATCH',
    path: '/access-list/{id}',
    family: 'access-list',
    access: 'write',
    summary: 'Switches a row of the access list on or off',
    params: idPath,
    body: z.strictObject({ enabled: z.boolean() }).meta({ id: 'AccessRuleChange' }),
    answer: rule,
    run: async ({ params, body, services, request }) => {
      const { id: ruleId } = await ruleById(services, params.id);
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
    run: async ({ params, services, request }) => {
      const { id: ruleId } = await ruleById(services, params.id);
      await runCommand(services, request, removeAccessRule, { ruleId });
    },
  }),
};
