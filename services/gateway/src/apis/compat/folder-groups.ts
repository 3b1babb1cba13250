import { addCatalogGroup, catalogId, changeCatalogGroup, Rejection, type CatalogId } from '@continuo/contracts';
import { runCommand } from '../../server/commands.js';
import { catalogGroups } from '../../reads/visibility/catalog-groups.reads.js';
import { visibleCatalogs } from '../../reads/visibility/catalog-scope.reads.js';
import { parseIdOf } from './ids.js';
import type { UserCallBase } from './registry/endpoint.js';
import type { HasReadModel } from '../../reads/database/database.js';
import type { HasCommands, HasConfig } from '../../server/needs.js';

type Services = HasCommands & HasConfig & HasReadModel;

/** Longest name of a group. */
const MAX_NAME_CHARS = 200;

/** Catalogs by music folder ids. @throws Rejection `catalog.not-found` */
export const catalogsOfFolderIds = async ({ services, viewer }: UserCallBase<Services>, texts: readonly string[]): Promise<CatalogId[]> => {
  if (texts.length === 0) return [];
  const known = new Set((await visibleCatalogs(services.db, viewer)).map(({ id }) => id));
  const ids = texts.map((text) => {
    const id = parseIdOf('catalog', text);
    if (id === undefined || !known.has(id)) throw new Rejection('catalog.not-found', undefined, 'musicFolderId');
    return catalogId.parse(id);
  });
  return [...new Set(ids)].toSorted((a, b) => a - b);
};

/** A group name that is not taken, ignoring letter case. */
const freeName = (ids: readonly CatalogId[], taken: ReadonlySet<string>): string => {
  const name = `Folders ${ids.join(', ')}`.slice(0, MAX_NAME_CHARS);
  for (let number = 2; ; number += 1) {
    const tried = number === 2 ? name : `${name} (${number - 1})`;
    if (!taken.has(tried.toLowerCase())) return tried;
  }
};

/** Id of the catalog group with exactly these catalogs, created if necessary; null, the default group, for all catalogs. */
export const groupOfCatalogs = async (
  { services, context }: Pick<UserCallBase<Services>, 'services' | 'context'>,
  ids: readonly CatalogId[],
): Promise<number | null> => {
  const everything = await visibleCatalogs(services.db, { userId: 0, catalogs: 'all' });
  if (ids.length === everything.length) return null;
  const groups = await catalogGroups(services.db);
  const wanted = ids.join();
  const found = groups.find(({ catalogIds }) => catalogIds.join() === wanted);
  if (found) return found.id;
  const name = freeName(ids, new Set(groups.map((group) => group.name.toLowerCase())));
  const { groupId } = await runCommand(services, context, addCatalogGroup, { name });
  await runCommand(services, context, changeCatalogGroup, { groupId, add: [...ids] });
  return groupId;
};
