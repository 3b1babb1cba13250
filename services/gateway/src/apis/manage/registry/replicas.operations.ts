import { askEverybody } from '@continuo/chassis';
import { REPLICAS_SUBJECT, replicaQuery, type Replica } from '@continuo/contracts';
import { z } from 'zod';
import type { HasOperations } from '../../../features/operations/operations.js';
import { pageByText, pageOf, pageQuery } from '../cursors.js';
import { operate } from '../operate.js';
import { operationsUsing } from '../operation.js';
import { time, timeText } from '../schemas/times.js';

const { operation } = operationsUsing<HasOperations>();

const replica = z
  .object({
    id: z.string().meta({ description: 'New with each start' }),
    service: z.string(),
    version: z.string(),
    host: z.string(),
    processId: z.int(),
    startedAt: time,
    ready: z.boolean(),
    parts: z.record(z.string(), z.string()).meta({ description: 'State by part: `ok`, or what is wrong' }),
    load: z
      .object({
        memoryBytes: z.number(),
        heapBytes: z.number(),
        cpuCores: z.number().meta({ description: 'Cores that the process has used since it was last asked' }),
        eventLoopBusy: z.number().min(0).max(1).meta({ description: 'Share of that time in which its event loop was busy' }),
      })
      .meta({ id: 'ReplicaLoad', description: 'Of the process, which services of a standalone share' }),
  })
  .meta({ id: 'Replica' });

const shown = ({ replicaId, pid, startedAtMs, isReady, memoryBytes, heapBytes, cpuCores, eventLoopBusy, ...rest }: Replica) => ({
  ...rest,
  id: replicaId,
  processId: pid,
  startedAt: timeText(startedAtMs),
  ready: isReady,
  load: { memoryBytes, heapBytes, cpuCores, eventLoopBusy },
});

/** Operations on the running services. */
export const replicaOperations = {
  listReplicas: operation({
    method: 'GET',
    path: '/replicas',
    family: 'replicas',
    access: 'read',
    summary: 'Lists running services by name, with version, start and load',
    query: pageQuery,
    answer: pageOf(replica),
    run: async ({ query, services }) => {
      const found = await operate(services, ({ session }) => askEverybody(session.nats, replicaQuery, {}, { subject: REPLICAS_SUBJECT }));
      return pageByText(found.map(shown), query, ({ service, id }) => `${service} ${id}`);
    },
  }),
};
