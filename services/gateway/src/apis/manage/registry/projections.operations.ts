import type { RebuildReport } from '@continuo/chassis';
import type { ProjectionState } from '@continuo/operations';
import { z } from 'zod';
import type { HasLongWork, WorkRecord } from '../../../features/operations/long-work.js';
import type { HasOperations, OperatorTools } from '../../../features/operations/operations.js';
import { messageContext } from '../../../server/requests/request-context.js';
import { cutPage, pageByText, pageOf, pageQuery, readCursor, rowsOfPage } from '../cursors.js';
import { operate, required } from '../operate.js';
import { operationsUsing } from '../operation.js';
import { namePath, word, workPath } from '../schemas/ids.js';
import { shownWork, workFields } from '../schemas/work.js';

type Services = HasOperations & HasLongWork;
const { operation } = operationsUsing<Services>();

const generation = z
  .object({
    version: z.int(),
    generation: z.int(),
    position: z.int().meta({ description: 'Position of the log up to which it is filled' }),
    lagEvents: z.int().nullable().meta({ description: 'Events that it is behind; null when the log is missing' }),
    fault: z.string().nullable(),
  })
  .meta({ id: 'ProjectionGeneration' });

const projection = z
  .object({
    name: z.string(),
    stream: z.string().meta({ description: 'Stream of the log that it follows' }),
    logEnd: z.int().nullable().meta({ description: 'Last position of its log; null when the log is missing' }),
    live: generation.nullable().meta({ description: 'The tables that are read' }),
    building: generation.nullable().meta({ description: 'Fresh tables that are being filled' }),
  })
  .meta({ id: 'Projection' });

const shownGeneration = (state: ProjectionState | undefined): z.output<typeof generation> | null =>
  state
    ? { version: state.version, generation: state.generation, position: state.position, lagEvents: state.lagEvents, fault: state.fault }
    : null;

const shown = ([name, states]: readonly [string, readonly ProjectionState[]]): z.output<typeof projection> => ({
  name,
  stream: states[0]?.stream ?? '',
  logEnd: states[0]?.lastPosition ?? null,
  live: shownGeneration(states.findLast(({ state }) => state === 'live')),
  building: shownGeneration(states.findLast(({ state }) => state === 'building')),
});

const allProjections = async ({ library, session }: OperatorTools): Promise<z.output<typeof projection>[]> =>
  [...Map.groupBy(await library.projectionStates(session), ({ name }) => name)].map(shown);

const projectionNamed = async (tools: OperatorTools, name: string): Promise<z.output<typeof projection>> =>
  required(
    (await allProjections(tools)).find((one) => one.name === name),
    `projection ${name}`,
  );

const comparison = z
  .object({
    position: z.int().meta({ description: 'Position of the log at which the tables were compared' }),
    durationMs: z.number(),
    compared: z.boolean().meta({ description: 'False when there were no live tables to compare with' }),
    tables: z.array(
      z
        .object({
          name: z.string(),
          rows: z.int(),
          equal: z
            .boolean()
            .nullable()
            .meta({ description: 'Whether its rows are those of the live table; null when they were not compared' }),
          digest: z.string(),
          lostRows: z.int().meta({ description: 'Rows that the live table has beyond those of the fresh one' }),
        })
        .meta({ id: 'ComparedTable' }),
    ),
  })
  .meta({ id: 'ProjectionComparison' });

const compared = ({
  position,
  durationMs,
  compared: isCompared,
  differing,
  digests,
  lost,
}: RebuildReport): z.output<typeof comparison> => ({
  position,
  durationMs,
  compared: isCompared,
  tables: Object.entries(digests).map(([name, text]) => {
    const [rows = '0', digest = ''] = text.split(':');
    const loss = lost.find(({ table }) => table === name);
    const equal = isCompared ? !differing.includes(name) : null;
    return { name, rows: Number(rows), equal, digest, lostRows: loss ? loss.live - loss.rebuilt : 0 };
  }),
});

const rebuildFields = {
  projection: word,
  mode: z.enum(['replace', 'verify']).meta({ description: '`verify` only compares the fresh tables with the live ones' }),
  acceptLoss: z.boolean().meta({ description: 'Puts fresh tables in place although some have fewer rows than the live ones' }),
};
const rebuild = z
  .object({
    ...workFields,
    ...rebuildFields,
    comparison: comparison.nullable().meta({ description: 'Of fresh and live tables, at the end' }),
  })
  .meta({ id: 'ProjectionRebuild' });
const newRebuild = z
  .strictObject({
    projection: rebuildFields.projection,
    mode: rebuildFields.mode.default('replace'),
    acceptLoss: rebuildFields.acceptLoss.default(false),
  })
  .meta({ id: 'NewProjectionRebuild' });

const rebuildOptions = z.object({ mode: rebuildFields.mode, acceptLoss: z.boolean() });

const shownRebuild = (record: WorkRecord): z.output<typeof rebuild> => ({
  ...shownWork(record),
  projection: record.subject,
  ...rebuildOptions.parse(record.options),
  comparison: record.state === 'done' ? compared(record.result as RebuildReport) : null,
});

/** Of running rebuilds the fresh tables tell how far they are. */
const withProgress = async (services: Services, records: readonly WorkRecord[]): Promise<z.output<typeof rebuild>[]> => {
  if (!records.some(({ state }) => state === 'running')) return records.map(shownRebuild);
  const projections = await operate(services, allProjections);
  return records.map((record) => {
    const { building, logEnd } = projections.find(({ name }) => name === record.subject) ?? {};
    const isTold = record.state === 'running' && building;
    return shownRebuild(isTold ? { ...record, progress: { done: building.position, total: logEnd ?? null, unit: 'events' } } : record);
  });
};

const rebuilds = {
  listProjectionRebuilds: operation({
    method: 'GET',
    path: '/projection-rebuilds',
    family: 'projections',
    access: 'read',
    summary: 'Lists rebuilds of projections of the last thirty days, the latest first',
    query: pageQuery,
    answer: pageOf(rebuild),
    run: async ({ query, services }) => {
      const before = readCursor(word, query.cursor);
      const records = await services.longWork.list('projection-rebuild', { before, limit: rowsOfPage(query) });
      const page = cutPage(records, query, ({ id }) => id);
      return { ...page, items: await withProgress(services, page.items) };
    },
  }),
  getProjectionRebuild: operation({
    method: 'GET',
    path: '/projection-rebuilds/{id}',
    family: 'projections',
    access: 'read',
    summary: 'Answers a rebuild of a projection, with its progress or what came of it',
    params: workPath,
    answer: rebuild,
    run: async ({ params: { id }, services }) => {
      const record = required(await services.longWork.find('projection-rebuild', id), `rebuild ${id}`);
      const [found] = await withProgress(services, [record]);
      return found ?? shownRebuild(record);
    },
  }),
  startProjectionRebuild: operation({
    method: 'POST',
    path: '/projection-rebuilds',
    family: 'projections',
    access: 'write',
    summary: 'Fills fresh tables of a projection from the first event and puts them in place',
    description: 'Readers see the old tables meanwhile. With `verify` the fresh tables are compared and dropped.',
    body: newRebuild,
    answer: rebuild,
    status: 202,
    tagged: false,
    errors: ['conflict', 'unavailable'],
    locate: ({ id }) => `/projection-rebuilds/${id}`,
    run: async ({ body: { projection: name, mode, acceptLoss }, services, request }) => {
      await operate(services, (tools) => projectionNamed(tools, name));
      const order = { kind: 'projection-rebuild', subject: name, options: { mode, acceptLoss }, context: messageContext(request) } as const;
      const record = await services.longWork.start(order, () =>
        operate(services, ({ library, session }) => library.requestRebuild(session, name, { mode, acceptLoss })),
      );
      return shownRebuild(record);
    },
  }),
};

/** Operations on projections: the tables that are filled from the log. */
export const projectionOperations = {
  listProjections: operation({
    method: 'GET',
    path: '/projections',
    family: 'projections',
    access: 'read',
    summary: 'Lists projections by name, with position and lag',
    query: pageQuery,
    answer: pageOf(projection),
    run: async ({ query, services }) => pageByText(await operate(services, allProjections), query, ({ name }) => name),
  }),
  getProjection: operation({
    method: 'GET',
    path: '/projections/{name}',
    family: 'projections',
    access: 'read',
    summary: 'Answers a projection',
    params: namePath,
    answer: projection,
    run: ({ params, services }) => operate(services, (tools) => projectionNamed(tools, params.name)),
  }),
  ...rebuilds,
};
