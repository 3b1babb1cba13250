import { defineQuery } from '@continuo/contracts';
import { testNats, type TestNats } from '@continuo/local-servers';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { answerQuery, askQuery, hearAnnouncements } from './queries.js';

const log = pino({ enabled: false });
const half = defineQuery(z.object({ of: z.int() }), z.object({ is: z.number() }).or(z.object({ refused: z.string() })));

let server: TestNats;
let nats: NatsConnection;

beforeAll(async () => {
  server = await testNats();
  nats = await connect({ servers: server.url });
});
afterAll(async () => {
  await nats.close();
  await server.stop();
});

const ask = (subject: string, question: { of: number }): Promise<unknown> => askQuery(nats, half, question, { subject, timeout: 300 });

describe('a query', () => {
  it('is answered in the shape of its definition', async () => {
    const running = answerQuery({ nats, log, subject: 'spec.half', query: half, answer: ({ of }) => ({ is: of / 2 }) });
    expect(await ask('spec.half', { of: 3 })).toEqual({ is: 1.5 });
    await running.stop();
  });

  it('that cannot be read or answered is refused', async () => {
    const refuse = (error: unknown): { refused: string } => ({ refused: (error as Error).message });
    const answer = (): never => {
      throw new Error('no');
    };
    const running = answerQuery({ nats, log, subject: 'spec.refusing', query: half, answer, refuse });
    expect(await ask('spec.refusing', { of: 1 })).toEqual({ refused: 'no' });
    expect(await ask('spec.refusing', { of: 1.5 })).toEqual({ refused: expect.stringContaining('of: ') as string });
    await running.stop();
  });

  it('fails for want of an answer, and by one of another shape', async () => {
    await expect(ask('spec.nobody', { of: 1 })).rejects.toThrow('no responders');
    const other = nats.subscribe('spec.other', { callback: (_, message) => void message.respond('{"was":1}') });
    await expect(ask('spec.other', { of: 1 })).rejects.toMatchObject({ code: 'input.invalid' });
    other.unsubscribe();
  });

  it('that has arrived is answered before the answering stops', async () => {
    const gate = Promise.withResolvers<{ is: number }>();
    const begun = Promise.withResolvers<undefined>();
    const answer = (): Promise<{ is: number }> => {
      begun.resolve(undefined);
      return gate.promise;
    };
    const running = answerQuery({ nats, log, subject: 'spec.slow', query: half, answer });
    const answered = ask('spec.slow', { of: 1 });
    await begun.promise;
    const stopped = running.stop();
    gate.resolve({ is: 7 });
    await stopped;
    expect(await answered).toEqual({ is: 7 });
  });
});

it('announcements of another shape are skipped', async () => {
  const heard: number[] = [];
  const hearing = hearAnnouncements({ nats, log }, 'spec.news', z.object({ n: z.int() }), ({ n }) => heard.push(n));
  for (const text of ['{"n":1}', 'no JSON', '{"n":"two"}', '{"n":3}']) nats.publish('spec.news', text);
  await nats.flush();
  await expect.poll(() => heard).toEqual([1, 3]);
  hearing.unsubscribe();
});
