import { z } from 'zod';
import type { HasLoadHistory } from '../../../features/load/load-history.js';
import { pageByText, pageOf, pageQuery } from '../cursors.js';
import { operationsUsing } from '../operation.js';
import { time, timeText } from '../schemas/times.js';

const { operation } = operationsUsing<HasLoadHistory>();

const sample = z
  .object({
    gateway: z.string().meta({ description: 'Machine and port of the gateway that has noted it' }),
    at: time,
    requestsPerS: z.number().meta({ description: 'Requests to this gateway since the sample before' }),
    p95Ms: z
      .number()
      .nullable()
      .meta({ description: 'Time within which 95 of 100 answers were complete, media aside; null without answers' }),
    memoryBytes: z.number().meta({ description: 'Of the process' }),
    listeners: z.int().meta({ description: 'Sessions that play' }),
    runningScans: z.int(),
    lagEvents: z.int().meta({ description: 'Events that the projection that is furthest behind has yet to read' }),
  })
  .meta({ id: 'LoadSample' });

/** Operations on the load of the last day. */
export const loadOperations = {
  listLoadSamples: operation({
    method: 'GET',
    path: '/load-samples',
    family: 'replicas',
    access: 'read',
    summary: 'Lists the load of the last day, every five minutes and now, by time and gateway',
    query: pageQuery,
    answer: pageOf(sample),
    run: async ({ query, services }) => {
      const samples = (await services.loadHistory.samples()).map(({ atMs, ...rest }) => ({ ...rest, at: timeText(atMs) }));
      return pageByText(samples, query, ({ at, gateway }) => `${at} ${gateway}`);
    },
  }),
};
