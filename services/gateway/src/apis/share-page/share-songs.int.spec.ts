import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtureSecret } from '../../../test/library/share-writer.js';
import { TEST_NOW_MS } from '../../../test/servers/test-gateway.js';
import { bytes, linksIn, ShareWorld } from '../../../test/share-page/share-world.fixture.js';

let world: ShareWorld;

beforeAll(async () => {
  world = await ShareWorld.start();
});
afterAll(() => world.stop());

describe('the songs of a share', () => {
  it('play with ranges by the tokens of its page', async () => {
    const { body } = await world.pageOf(await world.shared());
    const [link = ''] = linksIn(body, 'play');
    const whole = await world.get(link);
    expect([whole.statusCode, whole.rawPayload.equals(bytes)]).toEqual([200, true]);
    expect(whole.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'accept-ranges': 'bytes' });
    const part = await world.get(link, { headers: { range: 'bytes=100-199' } });
    expect([part.statusCode, part.rawPayload.equals(bytes.subarray(100, 200))]).toEqual([206, true]);
    const [art = ''] = linksIn(body, 'art');
    expect((await world.get(art)).headers['content-type']).toMatch(/^image\//);
  });

  it('do not when the token is for something else, too old, or when the share allows no such use any more', async () => {
    const id = await world.shared({ allow_download: true });
    const { body } = await world.pageOf(id);
    const [play = ''] = linksIn(body, 'play');
    const [download = ''] = linksIn(body, 'download');
    expect((await world.get(download)).headers['content-disposition']).toMatch(/^attachment/);
    expect((await world.get(play.replace('/play?', '/download?'))).statusCode).toBe(404);
    expect((await world.get(play.replace(/sp-(\d+)-1-/, 'sp-$1-3-'))).statusCode).toBe(404);
    await sql`update social.share set allow_download = false, allow_stream = false where id = ${id}`.execute(world.model.write);
    expect([(await world.get(play)).statusCode, (await world.get(download)).statusCode]).toEqual([404, 404]);
    await sql`update social.share set allow_stream = true where id = ${id}`.execute(world.model.write);
    expect((await world.get(play)).statusCode).toBe(200);
    world.standing.nowMs += 9 * 3_600_000;
    expect((await world.get(play)).statusCode).toBe(404);
    world.standing.nowMs = TEST_NOW_MS;
    await sql`delete from social.share where id = ${id}`.execute(world.model.write);
    expect((await world.get(play)).statusCode).toBe(404);
  });

  it('cannot be downloaded once their owner may not download', async () => {
    const id = await world.shared({ allow_download: true });
    const [download = ''] = linksIn((await world.pageOf(id)).body, 'download');
    world.standing.access = 5;
    try {
      expect((await world.get(download)).statusCode).toBe(404);
      expect(linksIn((await world.pageOf(id)).body, 'download')).toEqual([]);
    } finally {
      world.standing.access = 100;
    }
    expect((await world.get(download)).statusCode).toBe(200);
  });

  it('are those that the owner sees, of this share, and no others', async () => {
    const id = await world.shared({ kind: 'artist', object_ids: [1] });
    const direct = (oid: number | string, more = '') =>
      world.get(`/play/index.php?share_id=${id}&share_secret=${fixtureSecret(id)}&oid=${oid}${more}`);
    expect((await direct(4)).statusCode).toBe(200);
    world.standing.catalogs = [1];
    try {
      const { body } = await world.pageOf(id);
      expect(body).not.toContain('Hidden');
      expect((await direct(4)).statusCode).toBe(404);
      expect((await direct(3)).statusCode).toBe(200);
    } finally {
      world.standing.catalogs = 'all';
    }
    const album = await world.shared();
    const other = `/play/index.php?share_id=${album}&share_secret=${fixtureSecret(album)}&oid=3`;
    expect((await world.get(other)).statusCode).toBe(404);
    expect((await direct('x')).statusCode).toBe(404);
    expect((await direct(1, '&action=download')).statusCode).toBe(403);
    expect((await world.get(`/play/index.php?share_id=${id}&share_secret=wrong&oid=1`)).statusCode).toBe(404);
    expect((await world.get(`/play/share_id/${id}/share_secret/${fixtureSecret(id)}/oid/1`)).statusCode).toBe(200);
    expect((await world.get(`/play/index.php?share_id=${id}&share_secret=${fixtureSecret(id)}&oid=1&ssid=wrong`)).statusCode).toBe(403);
  });
});

describe('a visit', () => {
  it('is counted once, however many requests belong to it', async () => {
    const id = await world.shared({ max_visits: 2 });
    const count = async (): Promise<number> =>
      (await world.model.read.selectFrom('social.share').select('visit_count').where('id', '=', id).executeTakeFirstOrThrow()).visit_count;
    const from = world.address();
    const { body } = await world.pageOf(id, { from });
    for (const link of linksIn(body, 'play')) await world.get(link, { from, headers: { range: 'bytes=0-9' } });
    await world.pageOf(id, { from });
    expect(await count()).toBe(1);
    const direct = `/play/index.php?share_id=${id}&share_secret=${fixtureSecret(id)}&oid=1`;
    const other = world.address();
    for (const range of ['bytes=0-9', 'bytes=10-19', 'bytes=20-'])
      expect((await world.get(direct, { from: other, headers: { range } })).statusCode).toBe(206);
    expect(await count()).toBe(2);
    expect((await world.pageOf(id)).statusCode).toBe(404);
    expect((await world.pageOf(id, { from })).statusCode).toBe(200);
    expect((await world.get(linksIn(body, 'play')[0] ?? '', { from })).statusCode).toBe(200);
  });
});
