import { connect as connectTcp, type Socket } from 'node:net';
import type { ProjectionWatch } from '@continuo/chassis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { EventListenerClient } from '../../../test/servers/event-listener.js';
import { event, EventsWorld, urlOf, WAIT } from '../../../test/events/events-world.fixture.js';

let world: EventsWorld;

beforeAll(async () => {
  world = await EventsWorld.start();
});
afterEach(() => world.quiet());
afterAll(() => world.stop());

describe('the stream', () => {
  it('has the heads that browsers and proxies need, and says that it is ready', async () => {
    const ada = await world.listen(await world.startGateway(), 'ada');
    expect(ada.status).toBe(200);
    expect(Object.fromEntries(ada.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    });
    expect(ada.heard).toMatchObject([{ name: 'ready' }]);
    expect(ada.lastEventId).toMatch(/^v1\.[\w.-]{100,200}$/);
  });

  it('is refused without a credential, and for types that there are not', async () => {
    const gateway = await world.startGateway();
    const get = (query = '', headers: Record<string, string> = {}) => EventListenerClient.open(urlOf(gateway, query), headers);
    expect((await get()).status).toBe(401);
    expect((await get('', { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await get('?u=ada&p=wrong')).status).toBe(401);
    expect((await get('?auth=ada-token&types=nothing.*')).status).toBe(400);
    for (const query of ['?auth=ada-token', '?auth=ada-token&types=play.*,rating.set']) {
      const client = await get(query);
      world.listeners.push(client);
      expect(client.status).toBe(200);
    }
  });

  it('tells only what was asked for', async () => {
    const gateway = await world.startGateway();
    const some = await world.listen(gateway, 'ada', '?types=follow.*');
    await world.rated(2, 1);
    await world.follow(2, 91);
    await vi.waitFor(() => expect(some.events.map(({ type }) => type)).toEqual(['follow.added']), WAIT);
  });

  it('tells what happened once it can be read', async () => {
    const shown = Promise.withResolvers<boolean>();
    let rated = Number.POSITIVE_INFINITY;
    const waitFor = vi.fn<ProjectionWatch['waitFor']>(async ([last]) => (last?.position ?? 0) < rated || shown.promise);
    const gateway = await world.startGateway({ watch: { waitFor } });
    const ada = await world.listen(gateway, 'ada');
    waitFor.mockClear();
    rated = 1;
    await world.rated(2, 1);
    await vi.waitFor(() => expect(waitFor).toHaveBeenCalled(), WAIT);
    expect(ada.events).toEqual([]);
    shown.resolve(true);
    await vi.waitFor(() => expect(ada.events.map(({ type }) => type)).toEqual(['rating.set']), WAIT);
  });

  it('tells it without that when the tables are far behind', async () => {
    const asked: (number | undefined)[] = [];
    const waitFor = async (_positions: unknown, timeoutMs?: number): Promise<boolean> => asked.push(timeoutMs) === 0;
    const gateway = await world.startGateway({ watch: { waitFor } });
    const ada = await world.listen(gateway, 'ada');
    await world.rated(2, 1);
    await vi.waitFor(() => expect(ada.events.map(({ type }) => type)).toEqual(['rating.set']), WAIT);
    expect(Math.max(...asked.map(Number))).toBe(5000);
    expect(asked.at(-1)).toBe(200);
  });

  it('says when what is read is older than what has happened, also to who comes then, and when it is not any more', async () => {
    const standing = { isReadable: true };
    const waitFor = async (): Promise<boolean> => standing.isReadable;
    const gateway = await world.startGateway({ watch: { waitFor } });
    const ada = await world.listen(gateway, 'ada', '?types=user.*');
    standing.isReadable = false;
    await world.rated(2, 1);
    await world.rated(2, 1, 4);
    await vi.waitFor(() => expect(ada.heard.map(({ name }) => name)).toEqual(['ready', 'behind']), WAIT);
    const late = await world.listen(gateway, 'half', '?types=user.*');
    await vi.waitFor(() => expect(late.heard.map(({ name }) => name)).toEqual(['ready', 'behind']), WAIT);
    standing.isReadable = true;
    for (const client of [ada, late])
      await vi.waitFor(() => expect(client.heard.map(({ name }) => name)).toEqual(['ready', 'behind', 'current']), WAIT);
  });

  it('gives signs of life that say how far it is', async () => {
    const gateway = await world.startGateway({ settings: { EVENT_STREAM_HEARTBEAT_MS: 60 } });
    const ada = await world.listen(gateway, 'ada', '?types=user.*');
    const before = ada.lastEventId;
    await world.rated(2, 1);
    await vi.waitFor(() => expect(ada.lastEventId).not.toBe(before), WAIT);
    expect(ada.comments).toBeGreaterThan(0);
    expect(ada.events).toEqual([]);
  });

  it('ends at once when what let somebody in does not hold any more', async () => {
    const gateway = await world.startGateway();
    const ada = await world.listen(gateway, 'ada');
    world.standing.isAuthorized = false;
    await vi.waitFor(() => expect(ada.isOver).toBe(true), { timeout: 20_000, interval: 10 });
    expect(ada.heard.at(-1)).toMatchObject({ name: 'end', data: { reason: 'you are not logged in any more' } });
    await vi.waitFor(() => expect(gateway.services.events.size).toBe(0), WAIT);
  });

  it('is limited for each account and for all, and a place is free again when somebody leaves', async () => {
    const gateway = await world.startGateway({ settings: { EVENT_STREAMS: 3, EVENT_STREAMS_PER_USER: 2 } });
    const [first] = [await world.listen(gateway, 'ada'), await world.listen(gateway, 'ada')];
    const third = await world.listen(gateway, 'ada');
    expect([third.status, third.headers.get('retry-after')]).toEqual([429, '30']);
    expect((await world.listen(gateway, 'half')).status).toBe(200);
    expect((await world.listen(gateway, 'admin')).status).toBe(429);
    first.close();
    await vi.waitFor(async () => expect((await world.listen(gateway, 'ada')).status).toBe(200), WAIT);
  });

  it('drops a client that does not read, and holds up nobody else', async () => {
    const gateway = await world.startGateway({ settings: { EVENT_STREAM_BUFFER_BYTES: 8192 } });
    const well = await world.listen(gateway, 'admin', '?types=library.*');
    const slow = await new Promise<Socket>((resolve) => {
      const { port } = new URL(urlOf(gateway));
      const socket = connectTcp({ host: '127.0.0.1', port: Number(port) }, () => resolve(socket));
    });
    slow.pause().write(`GET /events?auth=ada-token HTTP/1.1\r\nHost: x\r\n\r\n`);
    await vi.waitFor(() => expect(gateway.services.events.size).toBe(2), WAIT);
    let sent = 0;
    const songs = Array.from({ length: 900 }, (_, index) => ({ songId: index + 1, fileName: 'x' }));
    while (gateway.services.events.size > 1 && sent < 3000) {
      await world.append('library', 'folder', 7, event('TracksRemoved', { folderId: 7, catalogId: 1, songs }));
      sent += 1;
    }
    expect(gateway.services.events.size).toBe(1);
    expect(await gateway.services.metrics.registry.metrics()).toMatch(
      /continuo_event_streams\{service="gateway"\} 1\n[^]*continuo_event_streams_closed_total\{reason="slow",service="gateway"\} 1\n/,
    );
    await vi.waitFor(() => expect(well.events).toHaveLength(sent), { timeout: 30_000, interval: 50 });
    slow.destroy();
  });
});
