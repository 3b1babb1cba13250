import { ensureEventStreams } from '@continuo/chassis';
import { writeTestEvents } from '../../test/event-logs.js';
import { testNats, type TestNats } from '@continuo/local-servers';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { auditPage, type AuditFilter, type AuditMark } from './audit-trail.js';
import type { AuditEntry } from './backwards-reader.js';

let server: TestNats;
let nats: NatsConnection;
vi.setConfig({ testTimeout: 60_000, hookTimeout: 90_000 });

let session: Parameters<typeof auditPage>[0];

/** Songs by the scan, and now and then an act of an account. */
const SONGS = 20_000;

beforeAll(async () => {
  server = await testNats();
  nats = await connect({ servers: server.url });
  session = { nats, manager: await jetstreamManager(nats) };
  await ensureEventStreams(session.manager, ['library', 'identity'], 1);
  await writeTestEvents(nats, [
    { context: 'library', aggregate: 'catalog', id: '1', type: 'CatalogAdded', actor: 'user:1', at: 1000 },
    { context: 'identity', aggregate: 'user', id: '2', type: 'UserMade', actor: 'user:1', at: 1500 },
    ...Array.from({ length: SONGS }, (_, n) => ({
      context: 'library' as const,
      aggregate: 'folder',
      id: `1.${n}`,
      type: 'FolderScanned',
      actor: 'system',
      at: 2000 + n,
    })),
    { context: 'identity', aggregate: 'user', id: '2', type: 'UserDisabled', actor: 'user:1', at: 9_000_000 },
    { context: 'library', aggregate: 'catalog', id: '1', type: 'CatalogRemoved', actor: 'continuo-cli', at: 9_000_001 },
  ]);
  await vi.waitUntil(async () => (await session.manager.streams.info('EV_LIBRARY')).state.messages === SONGS + 2, 60_000);
});
afterAll(async () => {
  await nats.close();
  await server.stop();
});

const all = async (filter: AuditFilter, limit: number): Promise<{ entries: AuditEntry[]; pages: number }> => {
  const entries: AuditEntry[] = [];
  let [before, pages]: [AuditMark | undefined, number] = [undefined, 0];
  do {
    const page: Awaited<ReturnType<typeof auditPage>> = await auditPage(session, filter, { before, limit });
    entries.push(...page.entries);
    pages += 1;
    before = page.next;
  } while (before !== undefined && pages < 2000);
  return { entries, pages };
};

describe('audit trail', () => {
  it('tells the latest acts of all logs first', async () => {
    const { entries, next } = await auditPage(session, {}, { before: undefined, limit: 3 });
    expect(entries.map(({ type, actor }) => [type, actor])).toEqual([
      ['CatalogRemoved', 'continuo-cli'],
      ['UserDisabled', 'user:1'],
      ['FolderScanned', 'system'],
    ]);
    expect(entries[1]).toMatchObject({ stream: 'EV_IDENTITY', position: 2, aggregate: 'user', objectId: '2', atMs: 9_000_000 });
    expect(next).toEqual({ EV_LIBRARY: SONGS + 1, EV_IDENTITY: 2 });
  });

  it('tells every act once over its pages, in order', async () => {
    const { entries } = await all({}, 500);
    expect(entries).toHaveLength(SONGS + 4);
    expect(new Set(entries.map(({ stream, position }) => `${stream} ${position}`)).size).toBe(SONGS + 4);
    expect(entries.map(({ atMs }) => atMs)).toEqual(entries.map(({ atMs }) => atMs).toSorted((a, b) => b - a));
  });

  it('finds the acts on one kind of thing behind thousands of others in one page', async () => {
    const { entries, pages } = await all({ aggregate: 'catalog' }, 50);
    expect(entries.map(({ type }) => type)).toEqual(['CatalogRemoved', 'CatalogAdded']);
    expect(pages).toBe(1);
    expect((await all({ context: 'library', aggregate: 'folder', objectId: '1.7' }, 50)).entries).toHaveLength(1);
    expect((await all({ context: 'identity' }, 50)).entries).toHaveLength(2);
  });

  it('finds the acts of one account over pages that are bounded', async () => {
    const { entries, pages } = await all({ actor: 'user:1' }, 50);
    expect(entries.map(({ type }) => type)).toEqual(['UserDisabled', 'UserMade', 'CatalogAdded']);
    expect(pages).toBeGreaterThan(1);
    const first = await auditPage(session, { actor: 'user:1' }, { before: undefined, limit: 50 });
    expect(first.entries.map(({ type }) => type)).toEqual(['UserDisabled']);
    expect(pages).toBeLessThan(10);
  });

  it('is empty for a server without logs of a context', async () => {
    expect(await auditPage(session, { context: 'sonic' }, { before: undefined, limit: 5 })).toEqual({ entries: [], next: undefined });
  });
});
