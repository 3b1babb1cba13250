import { addCatalog, catalogId, catalogType, startScan, type CatalogType, type ScanMode } from '@continuo/contracts';
import { z } from 'zod';
import { newStorage } from '../../../../features/catalogs/new-storage.js';
import { stopScansAndRemove } from '../../../../features/catalogs/remove-catalog.js';
import { runAndAwaitReadModel, runCommand } from '../../../../server/commands.js';
import { catalogsByIds, type CatalogView } from '../../../../reads/visibility/catalogs.reads.js';
import { alsoSeeing } from '../../../../reads/visibility/viewer.js';
import { badValue, featureOff, missing, oneOf } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { objectNamed, type Named } from '../../named-object.js';
import { catalogObject } from '../../objects/catalog.object.js';
import { by, listQuery, listResult } from '../../paging.js';
import { cond, limit, named, offset, optional, required } from '../../params.js';
import { objectResult, success, type NativeResult } from '../../result.js';
import type { Reader } from '../lists/reading.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasCatalogStorage, HasCommands, HasConfig } from '../../../../server/needs.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';

type Services = HasCatalogStorage & HasCommands & HasConfig & HasReadModel & HasLists & HasPreferences;
const { method } = methodsUsing<Services>();

const mediaKinds: Readonly<Record<string, 'music' | 'podcast' | 'video'>> = {
  music: 'music',
  podcast: 'podcast',
  video: 'video',
  clip: 'video',
  tvshow: 'video',
  movie: 'video',
  personal_video: 'video',
};

/** Catalog of a parameter. @throws NativeRefusal 4704 with the parameter */
export const catalogOf = (reader: Reader, text: string, parameter: string): Promise<CatalogView> =>
  objectNamed(reader, catalogsByIds, text, parameter);

const shown = (catalog: CatalogView): NativeResult => objectResult(catalogObject, catalog, catalog.id);

const newCatalog = z.object({
  name: required,
  path: required,
  type: z.string().default('local'),
  media_type: z.string().default('music'),
  file_pattern: z.string().default('%T - %t'),
  folder_pattern: z.string().default('%a/%A'),
  username: z.string().default(''),
  password: z.string().default(''),
  /** An addition of this server: the S3 region. */
  region: z.string().default(''),
});

/** Catalog types that are not supported. */
const ABSENT_KINDS = ['beets', 'seafile'];
/** Catalog types on another server, with a login. */
const LOGIN_KINDS = ['remote', 'subsonic', 'seafile'];

/** Requested catalog type. Errors of the call itself come first. */
const kindOf = ({ type, username, password }: z.output<typeof newCatalog>): CatalogType => {
  const absent = LOGIN_KINDS.includes(type) ? Object.entries({ username, password }).find(([, value]) => value === '') : undefined;
  if (absent) throw missing(absent[0]);
  if (ABSENT_KINDS.includes(type)) throw featureOff(`catalog type ${type}`);
  const known = catalogType.safeParse(type);
  if (!known.success) throw badValue('type', type, oneOf(catalogType.options));
  return known.data;
};

const create = async (call: CallerCall<z.output<typeof newCatalog>, Services>): Promise<NativeResult> => {
  const type = kindOf(call.params);
  const { name, path, media_type: mediaType, file_pattern: renamePattern, folder_pattern: sortPattern } = call.params;
  const gatherTypes = mediaKinds[mediaType];
  if (!gatherTypes) throw badValue('media_type', mediaType, oneOf(Object.keys(mediaKinds)));
  if (name.trim() === '') throw badValue('name', name, 'must be a name');
  if (path.trim() === '') throw badValue('path', path, 'must be a path');
  const place = type === 'local' ? { path } : await newStorage(call.services, { ...call.params, type });
  const added = await runAndAwaitReadModel(
    call.services,
    call.context,
    { command: addCatalog },
    { name, ...place, gatherTypes, renamePattern, sortPattern },
  );
  return shown(await catalogOf({ ...call, viewer: alsoSeeing(call.viewer, added.catalogId) }, String(added.catalogId), 'filter'));
};

/** A task of `catalog_action`: the scan that performs it, null if there is nothing to do, and its versions. */
interface Task {
  readonly mode: ScanMode | null;
  readonly since: number;
}

const tasks: Readonly<Record<string, Task>> = {
  add_to_catalog: { mode: 'add', since: 4 },
  clean_catalog: { mode: 'clean', since: 4 },
  verify_catalog: { mode: 'verify', since: 4 },
  gather_art: { mode: 'art', since: 4 },
  // Albums and artists without songs are gone at once: there is nothing to clean up.
  garbage_collect: { mode: null, since: 6 },
  update_catalog: { mode: 'update', since: 8 },
};

const actParams = z.object({ ...named, task: required });

const act = async (call: CallerCall<z.output<typeof actParams>, Services>): Promise<NativeResult> => {
  const { filter, task: name } = call.params;
  const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
  if (!task || task.since > call.policy.version)
    throw badValue('task', name, oneOf(Object.keys(tasks).filter((one) => (tasks[one]?.since ?? 0) <= call.policy.version)));
  const catalog = await catalogOf(call, filter, 'catalog');
  if (task.mode !== null)
    await runCommand(call.services, call.context, startScan, { catalogId: catalogId.parse(catalog.id), mode: task.mode });
  return success(`successfully started: ${name} for ${catalog.name}`);
};

const remove = async (call: CallerCall<Named, Services>): Promise<NativeResult> => {
  const catalog = await catalogOf(call, call.params.filter, 'filter');
  await stopScansAndRemove(call.services, call.context, catalog.id);
  return success(`deleted catalog: ${catalog.id}`);
};

const creating = method({ versions: [6, 8], access: 75, params: newCatalog, run: create });

/** Methods about catalogs. */
export const catalogMethods = {
  catalogs: method({
    versions: [4, 5, 6, 8],
    access: 5,
    params: z.object({ offset, limit, cond, filter: optional }),
    run: (call) => {
      const { filter = '', ...params } = call.params;
      const kind = mediaKinds[filter.toLowerCase()];
      const own = kind ? [{ name: 'gather_type', value: kind }] : [];
      return listResult({ ...call, params }, listQuery('catalog', params, own, by('id')), {
        table: catalogObject,
        read: (ids) => catalogsByIds(call.services.db, ids, call.viewer),
      });
    },
  }),
  catalog: method({
    versions: [4, 5, 6, 8],
    access: 5,
    params: z.object(named),
    run: async (call) => shown(await catalogOf(call, call.params.filter, 'filter')),
  }),
  catalog_add: creating,
  catalog_create: creating,
  catalog_delete: method({ versions: [6, 8], access: 75, params: z.object(named), run: remove }),
  catalog_action: method({ versions: [4, 5, 6, 8], access: 75, aliases: { filter: ['catalog', 'filter'] }, params: actParams, run: act }),
};
