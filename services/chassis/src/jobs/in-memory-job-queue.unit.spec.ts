import { InMemoryJobQueue } from './in-memory-job-queue.js';
import { jobQueueContract } from './job-queue.contract.js';

jobQueueContract('InMemoryJobQueue', () => {
  const queue = new InMemoryJobQueue();
  return Promise.resolve({ queue, waiting: () => Promise.resolve(queue.takeAll()), stop: () => Promise.resolve() });
});
