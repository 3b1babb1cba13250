import { addCatalog, catalogId, startScan } from '@continuo/contracts';
import { z } from 'zod';
import { runCommand } from '../../commands.js';
import { catalogsByIds, type CatalogView } from '../../reads/catalogs.reads.js';
import { listMd5 } from '../../reads/id-list.js';
import { badValue, featureOff, notFound } from '../errors/native-fault.js';
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

const catalogOf = async ({ services, viewer }: Reader, text: string, parameter: string): Promise<CatalogView> => {
  const id = idOf(text);
  const [catalog] = id === undefined ? [] : await catalogsByIds(services.db, [id], viewer);
  if (!catalog) throw notFound(parameter, text);
  return catalog;
};

const shown = (catalog: CatalogView): NativeResult =>
  objectResult(catalogObject, catalog, { counted: true, md5: () => listMd5(Int32Array.of(catalog.id)) });

const newCatalog = z.object({
  name: required,
  path: required,
  type: z.string().default('local'),
  media_type: z.string().default('music'),
  file_pattern: z.string().optional(),
  folder_pattern: z.string().optional(),
});

const REMOTE_KINDS = ['beets', 'remote', 'subsonic', 'seafile'];

const create = async (call: CallerCall<z.output<typeof newCatalog>>): Promise<NativeResult> => {
  const { name, path, type, media_type: mediaType, file_pattern: renamePattern = null, folder_pattern: sortPattern = null } = call.params;
  if (REMOTE_KINDS.includes(type)) throw featureOff(`catalog type ${type}`);
  if (type !== 'local') throw badValue('type', type);
  const gatherTypes = mediaKinds[mediaType];
  if (!gatherTypes) throw badValue('media_type', mediaType);
  if (name.trim() === '') throw badValue('name', name);
  if (path.trim() === '') throw badValue('path', path);
  const added = await runCommand(call.services, call.request, addCatalog, { name, path, gatherTypes, renamePattern, sortPattern });
  return shown(await catalogOf(call, String(added.catalogId), 'filter'));
};

/** Tasks that are a scan here: one scan adds what is new, re-reads what changed and removes what is gone. */
const SCAN_TASKS = ['add_to_catalog', 'clean_catalog', 'verify_catalog', 'update_catalog'];
/** Tasks of the specification that need nothing done: art is gathered by the scan, and empty albums vanish by themselves. */
const DONE_ALREADY = ['gather_art', 'garbage_collect'];

const act = async (call: CallerCall<{ filter: string; task: string }>): Promise<NativeResult> => {
  const { filter, task } = call.params;
  if (!SCAN_TASKS.includes(task) && !DONE_ALREADY.includes(task)) throw badValue('task', task);
  const catalog = await catalogOf(call, filter, 'catalog');
  if (task !== 'garbage_collect') await runCommand(call.services, call.request, startScan, { catalogId: catalogId.parse(catalog.id) });
  return { kind: 'success', message: `successfully started: ${task} for ${catalog.name}` };
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
  catalog_action: method({
    versions: [4, 5, 6, 8],
    access: 75,
    aliases: { filter: ['catalog', 'filter'] },
    params: z.object({ filter: required, task: required }),
    run: act,
  }),
};
