import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testReadModel, type TestReadModel } from '../../../test/servers/read-model-database.js';
import { runBounded, isOutOfMemory } from './bounded-statement.js';

let model: TestReadModel;

beforeAll(async () => {
  model = await testReadModel();
});
afterAll(() => model.close());

const process = async (): Promise<number | undefined> =>
  (await runBounded(model.read, sql<{ pid: number }>`select pg_backend_pid() as pid`, 5000))[0]?.pid;
const matching = (pattern: string, timeoutMs = 60_000): Promise<unknown> =>
  runBounded(model.read, sql`select repeat('abc', 1000) ~* ${pattern}::text as matches`, timeoutMs);

describe('a statement whose cost a client has chosen', () => {
  it('leaves no memory with the database when it wanted too much', async () => {
    const before = await process();
    const failure: unknown = await matching('((a{1,200}){1,200})').catch((error: unknown) => error);
    expect(isOutOfMemory(failure)).toBe(true);
    expect(await process()).not.toBe(before);
  });

  it('leaves the connection to others when it was wrong or slow', async () => {
    const before = await process();
    await expect(matching('(((')).rejects.toMatchObject({ code: '2201B' });
    await expect(runBounded(model.read, sql`select pg_sleep(20)`, 50)).rejects.toMatchObject({ code: '57014' });
    expect(await process()).toBe(before);
  });
});
