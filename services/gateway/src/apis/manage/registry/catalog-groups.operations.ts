import { addCatalogGroup, catalogId, changeCatalogGroup, removeCatalogGroup, renameCatalogGroup } from '@continuo/contracts';
import { z } from 'zod';
import type { HasReadModel } from '../../../reads/database/database.js';
import { catalogGroups, type CatalogGroupRecord } from '../../../reads/visibility/catalog-groups.reads.js';
import { catalogsByIds } from '../../../reads/visibility/catalogs.reads.js';
import { runAndAwaitReadModel, runCommand } from '../../../server/commands.js';
import type { HasCommands, HasConfig } from '../../../server/needs.js';
import { pageById, pageOf, pageQuery } from '../cursors.js';
import { operationsUsing, type OperationCall } from '../operation.js';
import { badField, ManageProblem } from '../problems.js';
import { id, idPath } from '../schemas/ids.js';

type Services = HasCommands & HasConfig & HasReadModel;
const { operation } = operationsUsing<Services>();

const MAX_CATALOGS = 10_000;
const name = z.string().trim().min(1).max(255);

const group = z
  .object({ id, name: z.string(), catalogIds: z.array(id).meta({ description: 'Catalogs that its accounts see' }) })
  .meta({ id: 'CatalogGroup' });

const shown = ({ id: number, name: text, catalogIds }: CatalogGroupRecord): z.output<typeof group> => ({
  id: number,
  name: text,
  catalogIds: [...catalogIds],
});

/** @throws ManageProblem `path.not-found` */
const groupById = async ({ db }: HasReadModel, wanted: number): Promise<CatalogGroupRecord> => {
  const found = (await catalogGroups(db)).find((one) => one.id === wanted);
  if (!found) throw new ManageProblem('path.not-found', `There is no group ${wanted}`);
  return found;
};

type Call = Pick<OperationCall<unknown, unknown, unknown, Services>, 'services' | 'request' | 'viewer'>;

/** @throws ManageProblem `input.invalid` for a catalog that is not there */
const requireCatalogs = async ({ services, viewer }: Call, ids: readonly number[]): Promise<void> => {
  const known = new Set((await catalogsByIds(services.db, ids, viewer)).map((one) => one.id));
  const at = ids.findIndex((one) => !known.has(one));
  if (at >= 0) throw badField(`/catalogIds/${at}`, `there is no catalog ${ids[at]}`);
};

const numbers = (ids: readonly number[]) => ids.map((one) => catalogId.parse(one));

/** Lets a group show these catalogs and no others. */
const showCatalogs = async (call: Call, before: CatalogGroupRecord, wanted: readonly number[]): Promise<void> => {
  const add = wanted.filter((one) => !before.catalogIds.includes(one));
  const remove = before.catalogIds.filter((one) => !wanted.includes(one));
  if (add.length + remove.length === 0) return;
  const data = { groupId: before.id, add: numbers(add), remove: numbers(remove) };
  await runCommand(call.services, call.request, changeCatalogGroup, data);
};

const catalogIds = z.array(id).max(MAX_CATALOGS);

/** Operations on groups of catalogs. */
export const catalogGroupOperations = {
  listCatalogGroups: operation({
    method: 'GET',
    path: '/catalog-groups',
    family: 'catalog-groups',
    access: 'read',
    summary: 'Lists groups of catalogs by number; accounts without a group see all catalogs',
    query: pageQuery,
    answer: pageOf(group),
    run: async ({ query, services }) => pageById((await catalogGroups(services.db)).map(shown), query),
  }),
  getCatalogGroup: operation({
    method: 'GET',
    path: '/catalog-groups/{id}',
    family: 'catalog-groups',
    access: 'read',
    summary: 'Answers a group of catalogs',
    params: idPath,
    answer: group,
    aggregates: async () => [['social', 'catalog-groups', 1]],
    run: async ({ params, services }) => shown(await groupById(services, params.id)),
  }),
  createCatalogGroup: operation({
    method: 'POST',
    path: '/catalog-groups',
    family: 'catalog-groups',
    access: 'write',
    summary: 'Makes a group of catalogs',
    body: z.strictObject({ name, catalogIds: catalogIds.default([]) }).meta({ id: 'NewCatalogGroup' }),
    answer: group,
    status: 201,
    locate: (made) => `/catalog-groups/${made.id}`,
    run: async (call) => {
      const { services, request, body } = call;
      await requireCatalogs(call, body.catalogIds);
      const { groupId } = await runAndAwaitReadModel(services, request, { command: addCatalogGroup }, { name: body.name });
      await showCatalogs(call, { id: groupId, name: body.name, catalogIds: [] }, body.catalogIds);
      return shown(await groupById(services, groupId));
    },
  }),
  changeCatalogGroup: operation({
    method: 'PATCH',
    path: '/catalog-groups/{id}',
    family: 'catalog-groups',
    access: 'write',
    summary: 'Renames a group of catalogs, or says which catalogs it shows',
    params: idPath,
    body: z.strictObject({ name, catalogIds }).partial().meta({ id: 'CatalogGroupChange' }),
    answer: group,
    run: async (call) => {
      const { services, request, body, params } = call;
      const before = await groupById(services, params.id);
      if (body.catalogIds) await requireCatalogs(call, body.catalogIds);
      if (body.name !== undefined && body.name !== before.name)
        await runCommand(services, request, renameCatalogGroup, { groupId: before.id, name: body.name });
      if (body.catalogIds) await showCatalogs(call, before, body.catalogIds);
      return shown(await groupById(services, params.id));
    },
  }),
  deleteCatalogGroup: operation({
    method: 'DELETE',
    path: '/catalog-groups/{id}',
    family: 'catalog-groups',
    access: 'write',
    summary: 'Removes a group of catalogs that no account belongs to, or moves its accounts first',
    params: idPath,
    query: z.strictObject({
      moveTo: id.optional().meta({ description: 'Group that its accounts belong to afterwards' }),
      moveToAll: z.boolean().optional().meta({ description: 'True: its accounts belong to no group and see all catalogs' }),
    }),
    run: async ({ params, query, services, request }) => {
      const { id: groupId } = await groupById(services, params.id);
      const moveTo = query.moveToAll === true ? null : query.moveTo;
      if (typeof moveTo === 'number') await groupById(services, moveTo);
      await runCommand(services, request, removeCatalogGroup, { groupId, ...(moveTo === undefined ? {} : { moveTo }) });
    },
  }),
};
