import type { QueueState } from '@continuo/operations';
import { z } from 'zod';
import type { HasOperations } from '../../../features/operations/operations.js';
import { pageByText, pageOf, pageQuery } from '../cursors.js';
import { operate, required } from '../operate.js';
import { operationsUsing } from '../operation.js';
import { namePath } from '../schemas/ids.js';
import { time, timeTextOrNull } from '../schemas/times.js';

const { operation } = operationsUsing<HasOperations>();

const queue = z
  .object({
    name: z.string(),
    depth: z.int().meta({ description: 'Messages that it holds: those that wait and those in work' }),
    sizeBytes: z.int(),
    oldestAt: time.nullable().meta({ description: 'When its oldest message came; null when it is empty' }),
    consumers: z.array(
      z
        .object({
          name: z.string(),
          waiting: z.int().meta({ description: 'Messages that nobody has taken yet' }),
          inWork: z.int(),
          redelivered: z.int().meta({ description: 'Of those in work, the ones that were given out more than once' }),
          idleWorkers: z.int().meta({ description: 'Workers that wait for a message' }),
        })
        .meta({ id: 'QueueConsumer' }),
    ),
  })
  .meta({ id: 'Queue' });

const shown = ({ queue: name, depth, bytes, oldestAtMs, consumers }: QueueState): z.output<typeof queue> => ({
  name,
  depth,
  sizeBytes: bytes,
  oldestAt: timeTextOrNull(oldestAtMs),
  consumers: consumers.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
});

/** Operations on the work queues. */
export const queueOperations = {
  listQueues: operation({
    method: 'GET',
    path: '/queues',
    family: 'queues',
    access: 'read',
    summary: 'Lists work queues by name, with what waits and what is in work',
    query: pageQuery,
    answer: pageOf(queue),
    run: async ({ query, services }) =>
      operate(services, async ({ library, session }) => {
        const page = pageByText(await library.queueStates(session), query, ({ queue: name }) => name);
        return { ...page, items: page.items.map(shown) };
      }),
  }),
  getQueue: operation({
    method: 'GET',
    path: '/queues/{name}',
    family: 'queues',
    access: 'read',
    summary: 'Answers a work queue',
    params: namePath,
    answer: queue,
    run: async ({ params: { name }, services }) =>
      operate(services, async ({ library, session }) => {
        const known = library.queueNames.includes(name) ? await library.queueState(session, name) : undefined;
        return shown(required(known, `queue ${name}`));
      }),
  }),
};
