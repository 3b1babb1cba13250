import {
  addCatalog,
  cancelScan,
  catalogId,
  catalogType,
  removeCatalog,
  scanId,
  startScan,
  type CatalogType,
  type ScanMode,
} from '@continuo/contracts';
import { z } from 'zod';
import { newPlace } from '../../catalog-place/new-place.js';
import { makeShown, runCommand, runLongCommand } from '../../commands.js';
import { catalogsByIds, openScans, type CatalogView } from '../../reads/catalogs.reads.js';
import { listMd5 } from '../../reads/id-list.js';
import type { Viewer } from '../../reads/viewer.js';
import { badValue, featureOff, missing, notFound } from '../errors/native-fault.js';
import { method, type CallerCall } from '../method.js';
import { catalogObject } from '../objects/catalog.object.js';
import { by, listQuery, listResult } from '../paging.js';
import { cond, idOf, limit, offset, required } from '../params.js';
import { objectResult, type NativeResult } from '../result.js';
import type { Reader } from './reading.js';

const mediaKinds: Readonly<Record<string, 'music' | 'podcast' | 'video'>> = {
  music: 'music',
  podcast: 'podcast',
  video: 'video',
  clip: 'video',
  tvshow: 'video',
  movie: 'video',
  personal_video: 'video',
};

/** The catalog that a parameter names. @throws NativeRefusal 4704 of the parameter's name */
export const catalogOf = async ({ services, viewer }: Reader, text: string, parameter: string): Promise<CatalogView> => {
  const id = idOf(text);
  const [catalog] = id === undefined ? [] : await catalogsByIds(services.db, [id], viewer);
  if (!catalog) throw notFound(parameter, text);
  return catalog;
};

const shown = (catalog: CatalogView): NativeResult =>
  objectResult(catalogObject, catalog, { counted: true, md5: () => listMd5(Int32Array.of(catalog.id)) });

/** How long a scan may take to stop before its catalog goes. */
const STOP_SCAN_MS = 15_000;

const newCatalog = z.object({
  name: required,
  path: required,
  type: z.string().default('local'),
  media_type: z.string().default('music'),
  file_pattern: z.string().default('%T - %t'),
  folder_pattern: z.string().default('%a/%A'),
  username: z.string().default(''),
  password: z.string().default(''),
  /** Our own: the region of S3 storage. */
  region: z.string().default(''),
});

/** Kinds of the contract that are not served. */
const ABSENT_KINDS = ['beets', 'seafile'];
/** Kinds that live on another server, and need to log in there. */
const LOGIN_KINDS = ['remote', 'subsonic', 'seafile'];

/** The kind that is asked for. What is wrong with the call itself is told first. */
const kindOf = ({ type, username, password }: z.output<typeof newCatalog>): CatalogType => {
  const absent = LOGIN_KINDS.includes(type) ? Object.entries({ username, password }).find(([, value]) => value === '') : undefined;
  if (absent) throw missing(absent[0]);
  if (ABSENT_KINDS.includes(type)) throw featureOff(`catalog type ${type}`);
  const known = catalogType.safeParse(type);
  if (!known.success) throw badValue('type', type);
  return known.data;
};

/** Whoever adds a catalog is told of it, although a group of catalogs takes in nothing by itself: its members see the new one once somebody adds it. */
const alsoSeeing = (viewer: Viewer, id: number): Viewer =>
  viewer.catalogs === 'all' ? viewer : { ...viewer, catalogs: [...viewer.catalogs, id] };

const create = async (call: CallerCall<z.output<typeof newCatalog>>): Promise<NativeResult> => {
  const type = kindOf(call.params);
  const { name, path, media_type: mediaType, file_pattern: renamePattern, folder_pattern: sortPattern } = call.params;
  const gatherTypes = mediaKinds[mediaType];
  if (!gatherTypes) throw badValue('media_type', mediaType);
  if (name.trim() === '') throw badValue('name', name);
  if (path.trim() === '') throw badValue('path', path);
  const place = type === 'local' ? { path } : await newPlace(call.services, { ...call.params, type });
  const added = await makeShown(
    call.services,
    call.request,
    { command: addCatalog },
    { name, ...place, gatherTypes, renamePattern, sortPattern },
  );
  return shown(await catalogOf({ ...call, viewer: alsoSeeing(call.viewer, added.catalogId) }, String(added.catalogId), 'filter'));
};

/** A task of catalog_action: the scan that does it, null where nothing needs doing, and the versions that know it. */
interface Task {
  readonly mode: ScanMode | null;
  readonly since: number;
}

const tasks: Readonly<Record<string, Task>> = {
  add_to_catalog: { mode: 'add', since: 4 },
  clean_catalog: { mode: 'clean', since: 4 },
  verify_catalog: { mode: 'verify', since: 4 },
  gather_art: { mode: 'art', since: 4 },
  // Albums and artists that have lost their last song are out of every list as soon as it is gone: there is nothing to collect.
  garbage_collect: { mode: null, since: 6 },
  update_catalog: { mode: 'update', since: 8 },
};

const act = async (call: CallerCall<{ filter: string; task: string }>): Promise<NativeResult> => {
  const { filter, task: name } = call.params;
  const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
  if (!task || task.since > call.policy.version) throw badValue('task', name);
  const catalog = await catalogOf(call, filter, 'catalog');
  if (task.mode !== null)
    await runCommand(call.services, call.request, startScan, { catalogId: catalogId.parse(catalog.id), mode: task.mode });
  return { kind: 'success', message: `successfully started: ${name} for ${catalog.name}` };
};

/** A scan under way ends first, so that it does not fill again what is taken away. */
const remove = async (call: CallerCall<{ filter: string }>): Promise<NativeResult> => {
  const { services, request } = call;
  const catalog = await catalogOf(call, call.params.filter, 'filter');
  for (const id of await openScans(services.db, catalog.id)) {
    await runLongCommand(services, request, { command: cancelScan, timeoutMs: STOP_SCAN_MS }, { scanId: scanId.parse(id), andWait: true });
  }
  await runCommand(services, request, removeCatalog, { catalogId: catalogId.parse(catalog.id) });
  return { kind: 'success', message: `deleted catalog: ${catalog.id}` };
};

const creating = method({ versions: [6, 8], access: 75, params: newCatalog, run: create });

/** Methods that list, add and scan catalogs. */
export const catalogMethods = {
  catalogs: method({
    versions: [4, 5, 6, 8],
    access: 5,
    params: z.object({ offset, limit, cond, filter: z.string().optional() }),
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
    params: z.object({ filter: required }),
    run: async (call) => shown(await catalogOf(call, call.params.filter, 'filter')),
  }),
  catalog_add: creating,
  catalog_create: creating,
  catalog_delete: method({ versions: [6, 8], access: 75, params: z.object({ filter: required }), run: remove }),
  catalog_action: method({
    versions: [4, 5, 6, 8],
    access: 75,
    aliases: { filter: ['catalog', 'filter'] },
    params: z.object({ filter: required, task: required }),
    run: act,
  }),
};
