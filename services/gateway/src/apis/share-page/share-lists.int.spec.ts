import type { SmartlistRule } from '@continuo/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertPlaylist } from '../../../test/library/playlist-fixture.js';
import { fixtureSecret } from '../../../test/library/share-writer.js';
import { insertSmartlist } from '../../../test/library/smartlist-fixture.js';
import { testAccounts } from '../../../test/servers/test-gateway.js';
import { linksIn, ShareWorld } from '../../../test/share-page/share-world.fixture.js';

let world: ShareWorld;

beforeAll(async () => {
  world = await ShareWorld.start();
});
afterAll(() => world.stop());

describe('a shared playlist', () => {
  const open = async (id: number) => (await world.pageOf(id)).body;

  it('shows its songs in order, with repetitions, and plays no others', async () => {
    await insertPlaylist(world.model.write, { id: 50, name: 'On the quay', owner_id: 1 }, [3, 2, 3, 4]);
    const id = await world.shared({ kind: 'playlist', object_ids: [50] });
    const html = await open(id);
    expect([...html.matchAll(/data-title="([^"]+)"/g)].map(([, title]) => title)).toEqual([
      'Elsewhere',
      'Low Water',
      'Elsewhere',
      'Hidden',
    ]);
    expect(html).toContain('On the quay');
    const [first = ''] = linksIn(html, 'play');
    expect((await world.get(first)).statusCode).toBe(200);
    await sql`delete from library.playlist_member where playlist_id = 50 and object_id = 3`.execute(world.model.write);
    expect((await world.get(first)).statusCode).toBe(404);
  });

  it('is empty and plays nothing once its owner hides it from the sharer', async () => {
    await insertPlaylist(world.model.write, { id: 51, name: 'Theirs', owner_id: 2, is_public: true }, [2]);
    const id = await world.shared({ kind: 'playlist', object_ids: [51] });
    world.standing.access = 25;
    const [link = ''] = linksIn(await open(id), 'play');
    expect((await world.get(link)).statusCode).toBe(200);
    await sql`update library.playlist set is_public = false where id = 51`.execute(world.model.write);
    expect(await open(id)).not.toContain('Theirs');
    expect(linksIn(await open(id), 'play')).toEqual([]);
    expect((await world.get(link)).statusCode).toBe(404);
    world.standing.access = 100;
  });
});

describe('a shared smartlist', () => {
  const rules = (word: string): SmartlistRule[] => [['title', 'contain', word, null]];
  const titles = (html: string) => [...html.matchAll(/data-title="([^"]+)"/g)].map(([, title]) => title);
  const asked = async (query: string, token: string) =>
    (
      await world.gateway.app.inject({
        url: `/server/json.server.php?version=8.0.0&action=share_create&${query}`,
        headers: { authorization: `Bearer ${token}` },
      })
    ).json<Record<string, unknown>>();

  it('shows what its rules give now, and plays no other song', async () => {
    await insertSmartlist(world.model.write, { id: 60, name: 'About water' }, rules('Water'));
    const id = await world.shared({ kind: 'search', object_ids: [60] });
    const html = (await world.pageOf(id)).body;
    expect(titles(html)).toEqual(['Low Water']);
    expect(html).toContain('About water');
    const [link = ''] = linksIn(html, 'play');
    expect((await world.get(link)).statusCode).toBe(200);
    const play = (oid: number) => world.get(`/play/index.php?type=song&oid=${oid}&share_id=${id}&share_secret=${fixtureSecret(id)}`);
    expect((await play(2)).statusCode).toBe(200);
    expect((await play(3)).statusCode).toBe(404);
    await sql`delete from library.smartlist where id = 60`.execute(world.model.write);
    expect(titles((await world.pageOf(id)).body)).toEqual([]);
    expect((await world.get(link)).statusCode).toBe(404);
  });

  it('with a random order still plays the songs shown before', async () => {
    await insertSmartlist(world.model.write, { id: 61, name: 'One of them', is_random: true, song_limit: 1 }, rules('e'));
    const id = await world.shared({ kind: 'search', object_ids: [61] });
    const html = (await world.pageOf(id)).body;
    expect(titles(html)).toHaveLength(1);
    const [link = ''] = linksIn(html, 'play');
    for (let time = 0; time < 5; time += 1) expect((await world.get(link)).statusCode).toBe(200);
  });

  it('is shared by whoever may open it, under each of its names', async () => {
    await insertSmartlist(world.model.write, { id: 62, name: 'Mine' }, rules('Low'));
    for (const query of ['type=search&filter=62', 'type=smartlist&filter=smart_62', 'type=playlist&filter=smart_62'])
      expect(await asked(query, testAccounts.admin.token)).toMatchObject({ name: 'Mine', object_type: 'search', object_id: '62' });
    expect(await asked('type=search&filter=62', testAccounts.listener.token)).toMatchObject({ error: { errorCode: '4704' } });
  });
});
