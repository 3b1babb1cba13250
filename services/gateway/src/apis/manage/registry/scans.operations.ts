import { cancelScan, catalogId, maintainPath, pathTask, Rejection, scanId, scanMode, startScan } from '@continuo/contracts';
import { z } from 'zod';
import { recordPerformed } from '../../../features/operations/record-operation.js';
import type { HasReadModel } from '../../../reads/database/database.js';
import { latestScans, scanById, skippedFilesAfter, type ScanView } from '../../../reads/library/scans.reads.js';
import type { Viewer } from '../../../reads/visibility/viewer.js';
import { runAndAwaitReadModel, runCommand, runLongCommand } from '../../../server/commands.js';
import type { HasCommands, HasConfig } from '../../../server/needs.js';
import { cutPage, pageOf, pageQuery, readCursor, rowsOfPage } from '../cursors.js';
import { operationsUsing, type OperationCall } from '../operation.js';
import { id, idPath } from '../schemas/ids.js';
import { time, timeText, timeTextOrNull } from '../schemas/times.js';
import { progress, workState } from '../schemas/work.js';
import { catalogById } from './catalogs.operations.js';

type Services = HasCommands & HasConfig & HasReadModel;
const { operation } = operationsUsing<Services>();

const count = z.int().min(0);
const scan = z
  .object({
    id: z.string(),
    catalogId: id,
    mode: scanMode,
    state: workState,
    progress: progress.meta({ description: 'Files seen; the total is a guess from the scan before' }),
    foldersSeen: count,
    songsAdded: count,
    songsChanged: count,
    songsMoved: count,
    songsRemoved: count,
    filesSkipped: count,
    requestedAt: time,
    startedAt: time.nullable(),
    updatedAt: time,
    endedAt: time.nullable(),
    problem: z.string().nullable().meta({ description: 'Why it failed, or what it waits for' }),
  })
  .meta({ id: 'Scan' });

const states = { queued: 'queued', running: 'running', finished: 'done', failed: 'failed', cancelled: 'cancelled' } as const;
const isOpen = ({ state }: ScanView): boolean => state === 'queued' || state === 'running';

const totalOf = (view: ScanView): number | null => {
  if (!isOpen(view)) return view.files_seen;
  return view.known_songs ? Math.max(view.known_songs, view.files_seen) : null;
};

const shown = (view: ScanView): z.output<typeof scan> => ({
  id: view.id,
  catalogId: view.catalog_id,
  mode: view.mode,
  state: states[view.state],
  progress: { done: view.files_seen, total: totalOf(view), unit: 'files' },
  foldersSeen: view.folders_seen,
  songsAdded: view.songs_added,
  songsChanged: view.songs_changed,
  songsMoved: view.songs_moved,
  songsRemoved: view.songs_removed,
  filesSkipped: view.files_skipped,
  requestedAt: timeText(view.requested_at_ms),
  startedAt: timeTextOrNull(view.started_at_ms),
  updatedAt: timeText(view.updated_at_ms),
  endedAt: timeTextOrNull(view.finished_at_ms),
  problem: view.message,
});

/** @throws Rejection `scan.not-found` */
const scanNamed = async ({ db }: HasReadModel, viewer: Viewer, wanted: string): Promise<ScanView> => {
  const found = await scanById(db, viewer, wanted);
  if (!found) throw new Rejection('scan.not-found');
  return found;
};

const scanPath = z.strictObject({ id: z.string().regex(/^[a-z0-9-]{1,64}$/) });
const scanCursor = z.object({ requestedAtMs: z.number(), id: z.string() });

const storedStates = (wanted: z.output<typeof workState>): ScanView['state'][] => [wanted === 'done' ? 'finished' : wanted];

const newScan = z
  .strictObject({
    catalogId: id,
    mode: scanMode.default('changes').meta({
      description:
        'changes: new, changed and removed files; add: new files; clean: what is gone; verify: every known file again; update: all of these; art: pictures',
    }),
  })
  .meta({ id: 'NewScan' });

const start = async ({ body, services, request, viewer }: OperationCall<unknown, unknown, z.output<typeof newScan>, Services>) => {
  const { id: known } = await catalogById(services, viewer, body.catalogId).catch(aboutCatalog);
  const data = { catalogId: catalogId.parse(known), mode: body.mode };
  const started = await runAndAwaitReadModel(services, request, { command: startScan }, data);
  return shown(await scanNamed(services, viewer, started.scanId));
};

/** A catalog that the body names is no address. @throws Rejection `input.invalid` */
const aboutCatalog = (error: unknown): never => {
  if (!(error instanceof Rejection) || error.code !== 'catalog.not-found') throw error;
  throw new Rejection('input.invalid', 'there is no such catalog', 'catalogId', { cause: error });
};

/** Time for a folder, which may hold thousands of files, ms. */
const PATH_TIMEOUT_MS = 20 * 60_000;

const pathTasks = z
  .strictObject({
    kind: z.enum(['file', 'folder']),
    path: z.string().min(1).max(16_384).meta({ description: 'Absolute, or relative to the folder of the catalog' }),
    tasks: z
      .array(pathTask)
      .min(1)
      .max(16)
      .meta({ description: 'In this order: add what is new, clean what is gone, verify known files again, remove files from the disk' }),
  })
  .meta({ id: 'NewPathTasks' });

const skipped = z.object({ path: z.string(), reason: z.string(), message: z.string() }).meta({ id: 'SkippedFile' });
/** Schema of what became of the files that were read anew. */
export const filesOutcome = z
  .object({
    filesRead: count,
    songsAdded: count,
    songsChanged: count,
    songsMoved: count,
    songsRemoved: count,
    filesSkipped: count,
    skipped: z.array(skipped).meta({ description: 'The first files that were left out' }),
  })
  .meta({ id: 'PathTasks' });

const maintain = async (call: OperationCall<{ id: number }, unknown, z.output<typeof pathTasks>, Services>) => {
  const { params, body, services, request, viewer } = call;
  const { id: known } = await catalogById(services, viewer, params.id);
  if (body.tasks.includes('remove') && !services.config.DELETE_FROM_DISK)
    throw new Rejection('feature.disabled', 'files are deleted where DELETE_FROM_DISK is on');
  await recordPerformed(services, request, 'performPathTasks', known);
  const how = { command: maintainPath, timeoutMs: PATH_TIMEOUT_MS };
  return runLongCommand(services, request, how, { catalogId: catalogId.parse(known), ...body });
};

/** Operations on scans. */
export const scanOperations = {
  listScans: operation({
    method: 'GET',
    path: '/scans',
    family: 'scans',
    access: 'read',
    summary: 'Lists scans, the latest first',
    query: pageQuery.extend({ catalogId: id.optional(), state: workState.optional() }),
    answer: pageOf(scan),
    run: async ({ query, services, viewer }) => {
      const { catalogId: ofCatalog, state, cursor } = query;
      const filter = { catalogId: ofCatalog, states: state && storedStates(state), after: readCursor(scanCursor, cursor) };
      const rows = await latestScans(services.db, viewer, { ...filter, limit: rowsOfPage(query) });
      const page = cutPage(rows, query, (row) => ({ requestedAtMs: row.requested_at_ms, id: row.id }));
      return { ...page, items: page.items.map(shown) };
    },
  }),
  getScan: operation({
    method: 'GET',
    path: '/scans/{id}',
    family: 'scans',
    access: 'read',
    summary: 'Answers a scan with its progress',
    description: '`/events` tells its progress as it happens: `scan.progressed`, then `scan.finished`, `scan.failed` or `scan.cancelled`.',
    params: scanPath,
    answer: scan,
    errors: ['scan.not-found'],
    run: async ({ params, services, viewer }) => shown(await scanNamed(services, viewer, params.id)),
  }),
  startScan: operation({
    method: 'POST',
    path: '/scans',
    family: 'scans',
    access: 'write',
    summary: 'Starts the scan of a catalog, or answers the one that does the same already',
    body: newScan,
    answer: scan,
    status: 202,
    errors: ['scan.running'],
    locate: (started) => `/scans/${started.id}`,
    run: start,
  }),
  cancelScan: operation({
    method: 'POST',
    path: '/scans/{id}/cancel',
    family: 'scans',
    access: 'write',
    summary: 'Stops a scan; what it has recorded stays',
    params: scanPath,
    answer: scan,
    status: 202,
    errors: ['scan.not-found'],
    locate: (cancelled) => `/scans/${cancelled.id}`,
    run: async ({ params, services, request, viewer }) => {
      const found = await scanNamed(services, viewer, params.id);
      if (isOpen(found)) await runCommand(services, request, cancelScan, { scanId: scanId.parse(found.id) });
      return shown(await scanNamed(services, viewer, params.id));
    },
  }),
  listSkippedFiles: operation({
    method: 'GET',
    path: '/catalogs/{id}/skipped-files',
    family: 'scans',
    access: 'read',
    summary: 'Lists the files of a catalog that scans left out, with reasons, by folder and name',
    params: idPath,
    query: pageQuery.extend({
      contains: z.string().max(200).optional().meta({ description: 'Only files with this text in path or reason, in any case' }),
    }),
    answer: pageOf(skipped),
    errors: ['catalog.not-found'],
    run: async ({ params, query, services, viewer }) => {
      const { id: known } = await catalogById(services, viewer, params.id);
      const after = readCursor(z.tuple([z.string(), z.string()]), query.cursor);
      const rows = await skippedFilesAfter(services.db, known, { after, contains: query.contains, limit: rowsOfPage(query) });
      const page = cutPage(rows, query, (row) => [row.folder, row.name]);
      const items = page.items.map(({ folder, name, ...why }) => ({ path: folder === '' ? name : `${folder}/${name}`, ...why }));
      return { ...page, items };
    },
  }),
  performPathTasks: operation({
    method: 'POST',
    path: '/catalogs/{id}/path-tasks',
    family: 'scans',
    access: 'write',
    summary: 'Adds, cleans, verifies or removes one file or folder, and answers what came of it',
    params: idPath,
    body: pathTasks,
    answer: filesOutcome,
    errors: ['catalog.not-found', 'catalog.path-outside', 'media.not-found', 'media.failed', 'feature.disabled'],
    run: maintain,
  }),
};
