import { events, nativeClient, type ServerEvent, type ServerOptions } from '@continuo/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventsWorld, people } from '../events/events-world.fixture.js';
import type { TestGateway } from '../servers/test-gateway.js';

let world: EventsWorld;
let gateway: TestGateway;
let server: ServerOptions;
beforeAll(async () => {
  world = await EventsWorld.start();
  gateway = await world.startGateway();
  server = { url: gateway.app.listeningOrigin, authorization: () => `Bearer ${people.ada.token}` };
});
afterAll(async () => {
  await world.quiet();
  await world.stop();
});

describe('the generated client against a gateway', () => {
  it('lists albums and reads a song by the paths of the document', async () => {
    const client = nativeClient(server);
    const { data: albums } = await client.GET('/albums', { params: { query: { limit: 1 } } });
    if (!albums || !('album' in albums)) throw new Error('the answer holds no albums');
    expect(albums.total_count).toBe(2);
    expect(albums.album.map(({ id, name }) => [typeof id, typeof name])).toEqual([['string', 'string']]);
    const { data: song } = await client.GET('/songs/{song_id}', { params: { path: { song_id: '1' } } });
    expect(song && 'title' in song && song.title).toBe('Open');
  });

  it('tells errors of the API as answers', async () => {
    const { data } = await nativeClient(server).GET('/songs/{song_id}', { params: { path: { song_id: '999' } } });
    expect(data && 'error' in data && data.error.errorCode).toBe('4704');
  });

  it('goes on after the last event on another connection', async () => {
    const over = new AbortController();
    const seen: ServerEvent[] = [];
    const isDone = (): boolean => seen.filter(({ type }) => type === 'rating.set').length === 2;
    const listen = async (lastEventId?: string): Promise<void> => {
      const options = { types: ['rating.set'], signal: over.signal, ...(lastEventId === undefined ? {} : { lastEventId }) };
      for await (const event of events(server, options)) {
        if (event.type === 'ready') await world.rated(2, 1, 3);
        seen.push(event);
        if (event.type === 'rating.set') return;
      }
    };
    await listen();
    await world.rated(2, 1, 4);
    await listen(seen.at(-1)?.id);
    over.abort();
    expect(isDone()).toBe(true);
  });
});
