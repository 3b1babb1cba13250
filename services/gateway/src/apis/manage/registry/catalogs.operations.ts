import {
  addCatalog,
  catalogId,
  catalogType,
  changeCatalog,
  fileByPattern,
  given,
  moveCatalog,
  Rejection,
  userId,
  type CatalogCredentials,
} from '@continuo/contracts';
import { z } from 'zod';
import type { HasAuth } from '../../../auth/auth.js';
import { newStorage } from '../../../features/catalogs/new-storage.js';
import { stopScansAndRemove } from '../../../features/catalogs/remove-catalog.js';
import { recordPerformed } from '../../../features/operations/record-operation.js';
import type { HasReadModel } from '../../../reads/database/database.js';
import { inScope } from '../../../reads/visibility/catalog-scope.reads.js';
import { catalogIdsAfter, catalogsByIds, type CatalogView } from '../../../reads/visibility/catalogs.reads.js';
import { alsoSeeing, type Viewer } from '../../../reads/visibility/viewer.js';
import { runAndAwaitReadModel, runCommand, runLongCommand } from '../../../server/commands.js';
import type { HasCatalogStorage, HasCommands, HasConfig } from '../../../server/needs.js';
import { cutPage, pageOf, pageQuery, readCursor, rowsOfPage } from '../cursors.js';
import { operationsUsing, type OperationCall } from '../operation.js';
import { id, idPath } from '../schemas/ids.js';
import { time, timeText, timeTextOrNull } from '../schemas/times.js';

type Services = HasAuth & HasCatalogStorage & HasCommands & HasConfig & HasReadModel;
const { operation } = operationsUsing<Services>();

const mediaType = z.enum(['music', 'video', 'podcast']);
const name = z.string().trim().min(1).max(255);
const pattern = z.string().max(1000).nullable();

const watched = z.boolean().nullable().meta({ description: 'Whether its folder is watched; null: as SCAN_WATCH says' });
const scanSchedule = z
  .string()
  .trim()
  .max(255)
  .nullable()
  .meta({ description: 'Cron expression by which it is scanned, empty for never; null: as SCAN_SCHEDULE says' });

const catalog = z
  .object({
    id,
    name: z.string(),
    type: z.string().meta({ description: 'Kind of storage' }),
    mediaType,
    path: z.string().meta({ description: 'Folder, or address of other storage' }),
    enabled: z.boolean().meta({ description: 'False: no scans by the clock, no uploads' }),
    filePattern: pattern.meta({ description: 'Names of uploaded files' }),
    folderPattern: pattern.meta({ description: 'Folders of uploaded files' }),
    watched,
    scanSchedule,
    songCount: z.int(),
    videoCount: z.int(),
    podcastCount: z.int(),
    episodeCount: z.int(),
    addedAt: time,
    lastAddAt: time.nullable().meta({ description: 'When a scan last took in new files' }),
    lastCleanAt: time.nullable().meta({ description: 'When a scan last removed what is gone' }),
    lastVerifyAt: time.nullable().meta({ description: 'When a scan last read known files again' }),
  })
  .meta({ id: 'Catalog' });

const shown = (view: CatalogView): z.output<typeof catalog> => ({
  id: view.id,
  name: view.name,
  type: view.type,
  mediaType: mediaType.parse(view.gatherTypes),
  path: view.path,
  enabled: view.enabled,
  filePattern: view.renamePattern,
  folderPattern: view.sortPattern,
  watched: view.watched,
  scanSchedule: view.scanSchedule,
  songCount: view.songCount,
  videoCount: view.videoCount,
  podcastCount: view.podcastCount,
  episodeCount: view.episodeCount,
  addedAt: timeText(view.addedAtMs),
  lastAddAt: timeTextOrNull(view.lastAddAtMs),
  lastCleanAt: timeTextOrNull(view.lastCleanAtMs),
  lastVerifyAt: timeTextOrNull(view.lastUpdateAtMs),
});

/** Catalog by number. @throws Rejection `catalog.not-found` */
export const catalogById = async (services: HasReadModel, viewer: Viewer, wanted: number): Promise<CatalogView> => {
  const [found] = await catalogsByIds(services.db, [wanted], viewer);
  if (!found) throw new Rejection('catalog.not-found');
  return found;
};

const newCatalog = z
  .strictObject({
    name,
    path: z.string().trim().min(1).max(4096).meta({ description: 'Folder of the server, or address of other storage' }),
    type: catalogType.default('local'),
    mediaType: mediaType.default('music'),
    filePattern: pattern.optional(),
    folderPattern: pattern.optional(),
    region: z.string().max(100).default('').meta({ description: 'Region of S3 storage' }),
    username: z.string().max(255).default('').meta({ description: 'Access key or user name at other storage' }),
    password: z.string().max(1024).default('').meta({ description: 'Its secret; kept sealed, never answered' }),
  })
  .meta({ id: 'NewCatalog' });

const create = async ({ body, services, request, viewer }: OperationCall<unknown, unknown, z.output<typeof newCatalog>, Services>) => {
  const { type, mediaType: gatherTypes, filePattern: renamePattern = null, folderPattern: sortPattern = null, ...rest } = body;
  const place = type === 'local' ? { path: body.path } : await newStorage(services, { ...rest, type });
  const data = { name: body.name, ...place, gatherTypes, renamePattern, sortPattern };
  const added = await runAndAwaitReadModel(services, request, { command: addCatalog }, data);
  return shown(await catalogById(services, alsoSeeing(viewer, added.catalogId), added.catalogId));
};

const catalogChange = z
  .strictObject({
    name,
    enabled: z.boolean(),
    filePattern: pattern,
    folderPattern: pattern,
    watched,
    scanSchedule,
    region: z.string().max(100),
    username: z.string().min(1).max(255).meta({ description: 'Together with the password' }),
    password: z.string().min(1).max(1024),
    path: z.string().trim().min(1).max(4096).meta({ description: 'Where its files lie now; songs keep their ids' }),
    forceMove: z.boolean().meta({ description: 'Moves it even if known files are not at the new path' }),
  })
  .partial()
  .meta({ id: 'CatalogChange' });

/** @throws Rejection `input.missing` for half of the credentials */
const credentialsOf = ({ username, password }: z.output<typeof catalogChange>): { credentials?: CatalogCredentials } => {
  if (username === undefined && password === undefined) return {};
  if (username === undefined || password === undefined)
    throw new Rejection('input.missing', 'username and password belong together', username === undefined ? 'username' : 'password');
  return { credentials: { name: username, secret: password } };
};

const change = async (call: OperationCall<{ id: number }, unknown, z.output<typeof catalogChange>, Services>) => {
  const { body, params, services, request, viewer } = call;
  const { name: newName, enabled, filePattern, folderPattern, region, path, forceMove = false } = body;
  const { watched: isWatched, scanSchedule: schedule } = body;
  const { id: known } = await catalogById(services, viewer, params.id);
  const terms = {
    ...given({ name: newName, enabled, renamePattern: filePattern, sortPattern: folderPattern, region }),
    ...given({ watched: isWatched, scanSchedule: schedule }),
    ...credentialsOf(body),
  };
  const moved = catalogId.parse(known);
  if (path !== undefined) await runCommand(services, request, moveCatalog, { catalogId: moved, path, force: forceMove });
  if (Object.keys(terms).length > 0) await runCommand(services, request, changeCatalog, { catalogId: moved, ...terms });
  return shown(await catalogById(services, viewer, known));
};

/** Time for the files of one request, ms. */
const MOVES_TIMEOUT_MS = 10 * 60_000;

const newFileMoves = z
  .strictObject({
    afterSongId: z.int().min(0).default(0).meta({ description: 'The `nextSongId` of the answer before' }),
    apply: z.boolean().default(false).meta({ description: 'False only reports what would be moved' }),
  })
  .meta({ id: 'NewFileMoves' });

const fileMoves = z
  .object({
    moves: z.array(
      z.object({
        songId: id,
        from: z.string().meta({ description: 'Relative to the folder of the catalog, as `to` is' }),
        to: z.string(),
        refused: z.string().nullable().meta({ description: 'Why the file stays where it is' }),
        leftBehind: z.array(z.object({ fileName: z.string(), why: z.string() })).meta({ description: 'Files of lyrics that stay' }),
      }),
    ),
    nextSongId: z.int().nullable().meta({ description: 'Where to go on; null at the end' }),
  })
  .meta({ id: 'FileMoves' });

const moveFiles = async (call: OperationCall<{ id: number }, unknown, z.output<typeof newFileMoves>, Services>) => {
  const { services, request, viewer, params, body } = call;
  const { id: known } = await catalogById(services, viewer, params.id);
  if (body.apply) await recordPerformed(services, request, 'moveCatalogFiles', known);
  const order = { command: fileByPattern, timeoutMs: MOVES_TIMEOUT_MS };
  const { moves, nextSongId } = await runLongCommand(services, request, order, { catalogId: catalogId.parse(known), ...body });
  return {
    moves: moves.map(({ refused = null, leftBehind = [], ...move }) => ({ ...move, refused, leftBehind })),
    nextSongId,
  };
};

/** The viewer, limited to what another account sees. @throws Rejection `user.not-found` */
const alsoSeenBy = async ({ auth }: Services, viewer: Viewer, wanted: number): Promise<Viewer> => {
  const account = await auth.account(userId.parse(wanted));
  if (!account) throw new Rejection('user.not-found');
  if (account.catalogs === 'all') return viewer;
  return { ...viewer, catalogs: account.catalogs.filter((one) => inScope(viewer.catalogs, one)) };
};

/** Operations on catalogs. */
export const catalogOperations = {
  listCatalogs: operation({
    method: 'GET',
    path: '/catalogs',
    family: 'catalogs',
    access: 'read',
    summary: 'Lists catalogs by number',
    query: pageQuery.extend({ seenBy: id.optional().meta({ description: 'Only catalogs that this account sees, too' }) }),
    answer: pageOf(catalog),
    errors: ['user.not-found'],
    run: async ({ query, services, viewer: caller }) => {
      const viewer = query.seenBy === undefined ? caller : await alsoSeenBy(services, caller, query.seenBy);
      const afterId = readCursor(z.int().min(0), query.cursor) ?? 0;
      const ids = await catalogIdsAfter(services.db, viewer, { afterId, limit: rowsOfPage(query) });
      const page = cutPage(await catalogsByIds(services.db, ids, viewer), query, (one) => one.id);
      return { ...page, items: page.items.map(shown) };
    },
  }),
  getCatalog: operation({
    method: 'GET',
    path: '/catalogs/{id}',
    family: 'catalogs',
    access: 'read',
    summary: 'Answers a catalog',
    params: idPath,
    answer: catalog,
    errors: ['catalog.not-found'],
    aggregates: async ({ params }) => [['library', 'catalog', params.id]],
    run: async ({ params, services, viewer }) => shown(await catalogById(services, viewer, params.id)),
  }),
  createCatalog: operation({
    method: 'POST',
    path: '/catalogs',
    family: 'catalogs',
    access: 'write',
    summary: 'Adds a catalog; it is empty until it is scanned',
    body: newCatalog,
    answer: catalog,
    status: 201,
    errors: ['catalog.path-taken', 'catalog.path-unusable'],
    locate: (made) => `/catalogs/${made.id}`,
    run: create,
  }),
  changeCatalog: operation({
    method: 'PATCH',
    path: '/catalogs/{id}',
    family: 'catalogs',
    access: 'write',
    summary: 'Changes what is named of a catalog',
    params: idPath,
    body: catalogChange,
    answer: catalog,
    errors: ['catalog.not-found', 'catalog.path-taken', 'catalog.path-unusable'],
    run: change,
  }),
  moveCatalogFiles: operation({
    method: 'POST',
    path: '/catalogs/{id}/file-moves',
    family: 'catalogs',
    access: 'write',
    summary: 'Moves files to where the patterns of their catalog say, for some hundred songs at once',
    description:
      'Songs keep their numbers, and no file takes the place of another. Repeat it with `afterSongId` until `nextSongId` is null.',
    params: idPath,
    body: newFileMoves,
    answer: fileMoves,
    tagged: false,
    errors: ['catalog.not-found', 'catalog.path-unusable'],
    run: moveFiles,
  }),
  deleteCatalog: operation({
    method: 'DELETE',
    path: '/catalogs/{id}',
    family: 'catalogs',
    access: 'write',
    summary: 'Deletes a catalog with everything known from it; no file is touched',
    params: idPath,
    errors: ['catalog.not-found'],
    run: async ({ params, services, request, viewer }) =>
      stopScansAndRemove(services, request, (await catalogById(services, viewer, params.id)).id),
  }),
};
