import { cancelSonicRun, catalogId, sonicRunId, sonicStatus, startSonicRun, type SonicRunTable } from '@continuo/contracts';
import { z } from 'zod';
import type { HasOperations } from '../../../features/operations/operations.js';
import type { HasReadModel } from '../../../reads/database/database.js';
import { runAndAwaitReadModel, runCommand } from '../../../server/commands.js';
import type { HasCommands, HasConfig } from '../../../server/needs.js';
import { cutPage, pageOf, pageQuery, readCursor, rowsOfPage } from '../cursors.js';
import { operate } from '../operate.js';
import { operationsUsing } from '../operation.js';
import { ManageProblem } from '../problems.js';
import { id, workPath } from '../schemas/ids.js';
import { timeText, timeTextOrNull } from '../schemas/times.js';
import { workFields } from '../schemas/work.js';

type Services = HasOperations & HasReadModel & HasCommands & HasConfig;
const { operation } = operationsUsing<Services>();

const analysis = z
  .object({
    plugin: z.string().nullable().meta({ description: 'Plug-in that compares sounds; null when none does' }),
    title: z.string().nullable().meta({ description: 'Name of the plug-in for people' }),
    model: z.string().nullable().meta({ description: 'Null for a plug-in that compares sounds elsewhere' }),
    problem: z.string().nullable().meta({ description: 'Why nothing compares sounds' }),
    songs: z.int(),
    analysed: z.int(),
    failed: z.int(),
    inMemory: z.int().meta({ description: 'Songs that one server can compare' }),
  })
  .meta({ id: 'SonicAnalysis' });

const run = z
  .object({
    ...workFields,
    model: z.string(),
    catalogId: id.nullable().meta({ description: 'Null: the whole library' }),
    again: z.boolean(),
    analysed: z.int(),
    reused: z.int().meta({ description: 'Songs of a sound that was known' }),
    known: z.int().meta({ description: 'Songs that were known already' }),
    failed: z.int(),
  })
  .meta({ id: 'SonicRun' });

const states = { running: 'running', finished: 'done', cancelled: 'cancelled' } as const;

const shown = (row: SonicRunTable): z.output<typeof run> => ({
  id: row.id,
  state: states[row.state],
  progress: { done: row.parts_ended, total: row.parts, unit: 'parts' },
  startedAt: timeText(row.requested_at_ms),
  endedAt: timeTextOrNull(row.ended_at_ms),
  problem: row.failed > 0 ? `${row.failed} songs could not be analysed` : null,
  model: row.model,
  catalogId: row.catalog_id,
  again: row.again,
  analysed: row.analysed,
  reused: row.reused,
  known: row.known,
  failed: row.failed,
});

const runOf = (services: Services, wanted: string): Promise<z.output<typeof run>> =>
  operate(services, async ({ library }) => shown(await library.findRun(services.db, wanted)));

const mark = z.object({ requestedAtMs: z.number(), id: z.string() });

const runs = {
  listSonicRuns: operation({
    method: 'GET',
    path: '/sonic/runs',
    family: 'sonic',
    access: 'read',
    summary: 'Lists runs of the sonic analysis, the latest first',
    query: pageQuery,
    answer: pageOf(run),
    run: async ({ query, services }) => {
      const before = readCursor(mark, query.cursor);
      const wanted = { limit: rowsOfPage(query), ...(before ? { before } : {}) };
      const rows = await operate(services, ({ library }) => library.latestRuns(services.db, wanted));
      const page = cutPage(rows, query, (row) => ({ requestedAtMs: row.requested_at_ms, id: row.id }));
      return { ...page, items: page.items.map(shown) };
    },
  }),
  getSonicRun: operation({
    method: 'GET',
    path: '/sonic/runs/{id}',
    family: 'sonic',
    access: 'read',
    summary: 'Answers a run of the sonic analysis with its progress',
    params: workPath,
    answer: run,
    run: ({ params, services }) => runOf(services, params.id),
  }),
  startSonicRun: operation({
    method: 'POST',
    path: '/sonic/runs',
    family: 'sonic',
    access: 'write',
    summary: 'Analyses the songs that nobody has analysed',
    description: 'While a run goes on for the same songs, that one is answered.',
    body: z
      .strictObject({
        catalogId: catalogId.optional(),
        again: z.boolean().default(false).meta({ description: 'Also what is known, and what failed' }),
      })
      .meta({ id: 'NewSonicRun' }),
    answer: run,
    status: 202,
    tagged: false,
    errors: ['catalog.not-found', 'feature.disabled', 'unavailable'],
    locate: ({ id: made }) => `/sonic/runs/${made}`,
    run: async ({ body, services, request }) => {
      const data = { again: body.again, ...(body.catalogId === undefined ? {} : { catalogId: body.catalogId }) };
      const { runId } = await runAndAwaitReadModel(services, request, { command: startSonicRun }, data);
      return runOf(services, runId);
    },
  }),
  cancelSonicRun: operation({
    method: 'POST',
    path: '/sonic/runs/{id}/cancel',
    family: 'sonic',
    access: 'write',
    summary: 'Analyses nothing more for a run; what is known stays',
    params: workPath,
    answer: run,
    tagged: false,
    errors: ['conflict'],
    run: async ({ params, services, request }) => {
      const { state } = await runOf(services, params.id);
      if (state !== 'running') throw new ManageProblem('conflict', `the run is ${state} already`);
      await runCommand(services, request, cancelSonicRun, { runId: sonicRunId.parse(params.id) });
      return runOf(services, params.id);
    },
  }),
};

/** Operations on the analysis of what songs sound like. */
export const sonicOperations = {
  getSonicAnalysis: operation({
    method: 'GET',
    path: '/sonic',
    family: 'sonic',
    access: 'read',
    summary: 'Answers what compares sounds, and how many songs are analysed',
    answer: analysis,
    errors: ['unavailable'],
    run: async ({ services, request }) => {
      const { plugin, problem, songs: inMemory } = await runCommand(services, request, sonicStatus, {});
      const model = plugin?.model ?? null;
      const known =
        model === null
          ? { songs: 0, heard: 0, failed: 0 }
          : await operate(services, ({ library }) => library.knownSongs(services.db, model));
      const names = { plugin: plugin?.name ?? null, title: plugin?.title ?? null, model };
      return { ...names, problem, songs: known.songs, analysed: known.heard, failed: known.failed, inMemory };
    },
  }),
  listSonicFailures: operation({
    method: 'GET',
    path: '/sonic/failures',
    family: 'sonic',
    access: 'read',
    summary: 'Lists songs that cannot be analysed by number, with the reason',
    query: pageQuery,
    answer: pageOf(z.object({ songId: id, title: z.string(), reason: z.string().nullable() }).meta({ id: 'SonicFailure' })),
    errors: ['unavailable'],
    run: async ({ query, services, request }) => {
      const { plugin } = await runCommand(services, request, sonicStatus, {});
      const model = plugin?.model ?? null;
      const wanted = { after: readCursor(z.int().min(0), query.cursor) ?? 0, limit: rowsOfPage(query) };
      const rows = model === null ? [] : await operate(services, ({ library }) => library.failedSongs(services.db, model, wanted));
      const page = cutPage(rows, query, (row) => row.id);
      return { ...page, items: page.items.map(({ id: songId, title, reason }) => ({ songId, title, reason })) };
    },
  }),
  ...runs,
};
