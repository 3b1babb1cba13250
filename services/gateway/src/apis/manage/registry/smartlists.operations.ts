import {
  createSmartlist,
  deleteSmartlist,
  Rejection,
  smartlistId,
  smartlistRule,
  smartlistTerms,
  type SmartlistRule,
} from '@continuo/contracts';
import { z } from 'zod';
import { requireRunnable, smartlistRecord, smartlistsAfter, type SmartlistRecord } from '../../../features/smartlists/index.js';
import type { HasReadModel } from '../../../reads/database/database.js';
import { operatorOf, ruleNamed, rulesToStore, type Logic, type SearchRule } from '../../../search/index.js';
import { runAndAwaitReadModel, runCommand } from '../../../server/commands.js';
import type { HasClock, HasCommands, HasConfig } from '../../../server/needs.js';
import { cutPage, pageOf, pageQuery, readCursor, rowsOfPage } from '../cursors.js';
import { operationsUsing, type OperationCall } from '../operation.js';
import { badField } from '../problems.js';
import { requireAccount } from '../require-account.js';
import { id, idPath } from '../schemas/ids.js';
import { time, timeText } from '../schemas/times.js';

type Services = HasClock & HasCommands & HasConfig & HasReadModel;
const { operation } = operationsUsing<Services>();

const [ruleName, ruleOperator, ruleInput, ruleSubtype] = smartlistRule.def.items;
const rule = z
  .strictObject({
    name: ruleName.meta({ description: 'As `search_rules` of the native API lists them for songs' }),
    operator: ruleOperator.meta({ description: 'Code or number of the operator' }),
    input: ruleInput.default(''),
    subtype: ruleSubtype.default(null).meta({ description: 'Field of a metadata rule' }),
  })
  .meta({ id: 'SmartlistRule' });

const logic = smartlistTerms.shape.logic.meta({ description: 'Whether songs fulfil all of the rules, or one of them' });
const smartlist = z
  .object({
    id,
    name: z.string(),
    ownerId: id.nullable().meta({ description: 'Account for whom plays and ratings count; null: nobody’s' }),
    isPublic: z.boolean(),
    rules: z.array(rule),
    logic,
    isRandom: z.boolean().meta({ description: 'In another order each time, with a limit another choice too' }),
    limit: z.int().nullable().meta({ description: 'Most songs; null: all' }),
    lastCount: z.int().meta({ description: 'Songs when it was last read' }),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Smartlist' });

const shown = (record: SmartlistRecord): z.output<typeof smartlist> => ({
  id: record.id,
  name: record.name,
  ownerId: record.ownerId,
  isPublic: record.isPublic,
  rules: record.rules.map(({ name, operator, input, subtype }) => ({ name, operator, input, subtype })),
  logic: record.logic,
  isRandom: record.isRandom,
  limit: record.limit === 0 ? null : record.limit,
  lastCount: record.lastCount,
  createdAt: timeText(record.createdAtMs),
  updatedAt: timeText(record.updatedAtMs),
});

/** @throws Rejection `smartlist.not-found` */
const smartlistById = async ({ db }: HasReadModel, wanted: number): Promise<z.output<typeof smartlist>> => {
  const found = await smartlistRecord(db, wanted);
  if (!found) throw new Rejection('smartlist.not-found');
  return shown(found);
};

const newSmartlist = z
  .strictObject({
    name: z.string().trim().min(1).max(255).meta({ description: 'One that its owner has already gets a number behind it' }),
    ownerId: id.nullable().default(null),
    isPublic: z.boolean().default(false),
    rules: z.array(rule).min(1, 'a search needs at least one rule').max(100),
    logic: logic.default('and'),
    isRandom: z.boolean().default(false),
    limit: z.int().min(1).max(1_000_000).nullable().default(null),
  })
  .meta({ id: 'NewSmartlist' });

const searchRule = ({ name, operator, input, subtype }: z.output<typeof rule>, index: number): SearchRule => {
  const row = ruleNamed('song', name.trim().toLowerCase());
  if (!row) throw badField(`/rules/${index}/name`, `there is no rule "${name}" for songs`);
  const code = operatorOf(row.family, operator);
  if (code === undefined) throw badField(`/rules/${index}/operator`, `the rule "${name}" has no operator "${operator}"`);
  return { name: row.name, operator: code, input, subtype };
};

/** Rules in the form in which they are kept. @throws ManageProblem `input.invalid` for rules that cannot be run */
const rulesToKeep = (wanted: readonly z.output<typeof rule>[], how: Logic, nowMs: number): SmartlistRule[] => {
  const rules = wanted.map(searchRule);
  try {
    requireRunnable(rules, how, nowMs);
  } catch (error) {
    if (error instanceof Rejection) throw badField('/rules', error.message);
    throw error;
  }
  return rulesToStore(rules);
};

const create = async ({ services, request, body }: OperationCall<unknown, unknown, z.output<typeof newSmartlist>, Services>) => {
  const ownerId = body.ownerId === null ? null : await requireAccount(services, body.ownerId, '/ownerId');
  const rules = rulesToKeep(body.rules, body.logic, services.now());
  const terms = { ...body, ownerId, rules, limit: body.limit ?? 0 };
  const made = await runAndAwaitReadModel(services, request, { command: createSmartlist }, terms);
  return smartlistById(services, made.smartlistId);
};

/** Operations on smartlists. */
export const smartlistOperations = {
  listSmartlists: operation({
    method: 'GET',
    path: '/smartlists',
    family: 'smartlists',
    access: 'read',
    summary: 'Lists smartlists by number: searches for songs that are kept as lists',
    query: pageQuery,
    answer: pageOf(smartlist),
    run: async ({ query, services }) => {
      const afterId = readCursor(z.int().min(0), query.cursor) ?? 0;
      const page = cutPage(await smartlistsAfter(services.db, { afterId, limit: rowsOfPage(query) }), query, (row) => row.id);
      return { ...page, items: page.items.map(shown) };
    },
  }),
  getSmartlist: operation({
    method: 'GET',
    path: '/smartlists/{id}',
    family: 'smartlists',
    access: 'read',
    summary: 'Answers a smartlist',
    params: idPath,
    answer: smartlist,
    errors: ['smartlist.not-found'],
    volatile: ['lastCount'],
    aggregates: async ({ params }) => [['library', 'smartlist', params.id]],
    run: ({ params, services }) => smartlistById(services, params.id),
  }),
  createSmartlist: operation({
    method: 'POST',
    path: '/smartlists',
    family: 'smartlists',
    access: 'write',
    summary: 'Keeps a search for songs as a list',
    body: newSmartlist,
    answer: smartlist,
    status: 201,
    volatile: ['lastCount'],
    locate: (made) => `/smartlists/${made.id}`,
    run: create,
  }),
  deleteSmartlist: operation({
    method: 'DELETE',
    path: '/smartlists/{id}',
    family: 'smartlists',
    access: 'write',
    summary: 'Deletes a smartlist; songs stay',
    params: idPath,
    errors: ['smartlist.not-found'],
    run: async ({ params, services, request }) => {
      const { id: known } = await smartlistById(services, params.id);
      await runCommand(services, request, deleteSmartlist, { smartlistId: smartlistId.parse(known) });
    },
  }),
};
