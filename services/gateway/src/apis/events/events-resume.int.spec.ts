import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { EventsWorld, objectsOf, SECRET, WAIT } from '../../../test/events/events-world.fixture.js';
import { EventIds, type LogEnds } from './log-positions.js';

let world: EventsWorld;

beforeAll(async () => {
  world = await EventsWorld.start();
});
afterEach(() => world.quiet());
afterAll(() => world.stop());

describe('coming back', () => {
  it('is told what was missed, once and in order, by whichever gateway', async () => {
    const [left, right] = [await world.startGateway(), await world.startGateway()];
    const before = await world.listen(left, 'half', '?types=rating.set,follow.added');
    await world.rated(2, 1);
    await vi.waitFor(() => expect(before.events).toHaveLength(1), WAIT);
    before.close();
    await world.rated(2, 1, 1);
    await world.rated(2, 2, 2);
    await world.follow(3, 92);
    await world.rated(2, 1, 4);
    const after = await world.listen(right, 'half', '?types=rating.set,follow.added', { 'last-event-id': before.lastEventId });
    await world.rated(2, 1, 5);
    await vi.waitFor(() => expect(after.events).toHaveLength(4), WAIT);
    expect(after.heard[0]).toMatchObject({ name: 'ready' });
    expect(after.events.map(({ type, data }) => data['rating'] ?? type)).toEqual([1, 'follow.added', 4, 5]);
    after.close();
    const again = await world.listen(left, 'half', `?types=rating.set&last_event_id=${after.heard[2]?.id}`);
    await vi.waitFor(() => expect(again.events.map(({ data }) => data['rating'])).toEqual([4, 5]), WAIT);
  });

  it('loses and doubles nothing while much is going on', async () => {
    const [left, right] = [await world.startGateway(), await world.startGateway()];
    const heard: string[] = [];
    const progress = { written: 0 };
    const over = new AbortController();
    let client = await world.listen(left, 'ada', '?types=follow.added');
    const writing = (async () => {
      for (; !over.signal.aborted; progress.written += 1) await world.follow(2, 10_000 + progress.written);
    })();
    for (let round = 0; round < 8; round += 1) {
      const before = progress.written;
      await vi.waitUntil(() => progress.written > before + 10, WAIT);
      client.close();
      await vi.waitFor(() => expect(client.isOver).toBe(true), WAIT);
      heard.push(...objectsOf(client));
      const gateway = round % 2 === 0 ? right : left;
      client = await world.listen(gateway, 'ada', '?types=follow.added', { 'last-event-id': client.lastEventId });
    }
    over.abort();
    await writing;
    const all = Array.from({ length: progress.written }, (_, index) => `user ${10_000 + index}`);
    await vi.waitFor(() => expect([...heard, ...objectsOf(client)].at(-1)).toBe(all.at(-1)), WAIT);
    expect([...heard, ...objectsOf(client)]).toEqual(all);
  });

  it('begins anew, and says so, after too long, with nonsense, and over another log', async () => {
    const gateway = await world.startGateway({ settings: { EVENT_STREAM_RESUME_EVENTS: 3 } });
    const ada = await world.listen(gateway, 'ada');
    ada.close();
    // The gateway has read on before the client comes back.
    const witness = await world.listen(gateway, 'ada');
    for (let n = 0; n < 5; n += 1) await world.rated(2, 1);
    await vi.waitFor(() => expect(witness.events).toHaveLength(5), WAIT);
    witness.close();
    const reasonFor = async (lastEventId: string): Promise<unknown> => {
      const client = await world.listen(gateway, 'ada', '', { 'last-event-id': lastEventId });
      expect(client.heard[0]?.name).toBe('reset');
      expect(client.heard[0]?.id).toBe(client.lastEventId);
      client.close();
      return client.heard[0]?.data.reason;
    };
    expect(await reasonFor(ada.lastEventId)).toBe('too-old');
    expect(await reasonFor('nonsense')).toBe('unknown');
    expect(await reasonFor('1.2.3')).toBe('unknown');
    const middle = Math.floor(ada.lastEventId.length / 2);
    const other = ada.lastEventId[middle] === 'x' ? 'y' : 'x';
    expect(await reasonFor(`${ada.lastEventId.slice(0, middle)}${other}${ada.lastEventId.slice(middle + 1)}`)).toBe('unknown');
    const ids = new EventIds(SECRET);
    const { incarnation, positions } = ids.read(ada.lastEventId) as LogEnds;
    expect(await reasonFor(ids.of('00000000', positions))).toBe('another-log');
    expect(await reasonFor(ids.of(incarnation, { ...positions, ingest: 1_000_000 }))).toBe('unknown');
    expect(await reasonFor(new EventIds(`${SECRET}!`).of(incarnation, positions))).toBe('unknown');
    const anew = await world.listen(gateway, 'ada', '', { 'last-event-id': 'nonsense' });
    await world.rated(2, 1);
    await vi.waitFor(() => expect(anew.events).toHaveLength(1), WAIT);
  });

  it('goes on after the server of the logs was gone', async () => {
    const gateway = await world.startGateway();
    const ada = await world.listen(gateway, 'ada', '?types=rating.set');
    await world.rated(2, 1);
    await vi.waitFor(() => expect(ada.events).toHaveLength(1), WAIT);
    await world.nats.crashAndRestart();
    await vi.waitFor(() => world.rated(2, 1), { timeout: 20_000, interval: 100 });
    await vi.waitFor(() => expect(ada.events.length).toBeGreaterThan(1), { timeout: 30_000, interval: 50 });
    expect(new Set(ada.events.map(({ id }) => id)).size).toBe(ada.events.length);
  });
});
