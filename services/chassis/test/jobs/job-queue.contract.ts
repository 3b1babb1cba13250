import { defineJob, type CommandMessage, type MessageContext } from '@continuo/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { JobQueue } from '../../src/jobs/job-queue.js';

/** A kind of job of the suite's own. */
export const sweep = defineJob('ingest', 'sweep', z.object({ room: z.string(), broom: z.string().default('old') }));
/** Another kind on the same stream. */
export const polish = defineJob('ingest', 'polish', z.object({ shoe: z.string() }));

export const context: MessageContext = { actor: 'user:7', correlationId: 'corr-1', causationId: 'cause-1' };

/** A queue, and a look at what waits in it. */
export interface QueueUnderTest {
  readonly queue: JobQueue;
  waiting(): Promise<readonly { subject: string; message: CommandMessage }[]>;
  stop(): Promise<void>;
}

/** Contract test of every {@link JobQueue}. */
export const jobQueueContract = (name: string, start: () => Promise<QueueUnderTest>): void => {
  describe(`${name} as a job queue`, () => {
    let under: QueueUnderTest;
    beforeEach(async () => {
      under = await start();
    });
    afterEach(() => under.stop());

    it('keeps jobs in order with their envelope', async () => {
      await under.queue.enqueue(sweep, 'job-1', { room: 'hall' }, context);
      await under.queue.enqueue(polish, 'job-2', { shoe: 'left' }, context);
      expect(await under.waiting()).toMatchObject([
        { subject: 'jobs.ingest.sweep', message: { ...context, id: 'job-1', data: { room: 'hall' } } },
        { subject: 'jobs.ingest.polish', message: { ...context, id: 'job-2', data: { shoe: 'left' } } },
      ]);
    });

    it('queues the same job once, but the same id of another kind too', async () => {
      await under.queue.enqueue(sweep, 'job-1', { room: 'hall' }, context);
      await under.queue.enqueue(sweep, 'job-1', { room: 'hall' }, context);
      await under.queue.enqueue(polish, 'job-1', { shoe: 'left' }, context);
      expect((await under.waiting()).map(({ subject }) => subject)).toEqual(['jobs.ingest.sweep', 'jobs.ingest.polish']);
    });

    it('hands the trace context on', async () => {
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
      await under.queue.enqueue(sweep, 'job-1', { room: 'hall' }, { ...context, traceparent });
      expect((await under.waiting())[0]?.message.traceparent).toBe(traceparent);
    });
  });
};
