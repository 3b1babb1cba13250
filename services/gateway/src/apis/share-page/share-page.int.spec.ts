import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtureSecret } from '../../../test/library/share-writer.js';
import { startTestGateway, TEST_NOW_MS } from '../../../test/servers/test-gateway.js';
import { HOSTILE, linksIn, ShareWorld } from '../../../test/share-page/share-world.fixture.js';

let world: ShareWorld;

beforeAll(async () => {
  world = await ShareWorld.start();
});
afterAll(() => world.stop());

const headersOf = ({ headers }: Awaited<ReturnType<ShareWorld['get']>>): Record<string, unknown> => {
  const { 'content-security-policy': _csp, 'x-correlation-id': _id, date: _date, ...rest } = headers;
  return rest;
};
const normalized = (html: string): string => html.replaceAll(/nonce="[^"]+"/g, 'nonce=""');

describe('the page of a share', () => {
  it('shows what is shared, and nothing of what people wrote becomes markup', async () => {
    const id = await world.shared({ allow_download: true, description: HOSTILE });
    const answer = await world.pageOf(id);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.body).toContain('<h1>Harbour</h1>');
    expect(answer.body).toContain('Low Water');
    expect(answer.body).toContain('&lt;script&gt;alert(1)');
    expect(answer.body).not.toContain('<script>alert');
    expect(answer.body).not.toContain('<img src=x');
    expect(answer.body.match(/<img /g)).toHaveLength(1);
    expect(linksIn(answer.body, 'play')).toHaveLength(3);
    expect(linksIn(answer.body, 'download')).toHaveLength(2);
    const named = await world.pageOf(await world.shared({ kind: 'song', object_ids: [1] }));
    expect(named.body).toContain('<title>&lt;script&gt;');
    expect(named.body).not.toContain('<script>alert');
  });

  it('runs its own script and style only, is framed by nobody, and its address goes nowhere', async () => {
    const [one, two] = [await world.pageOf(await world.shared()), await world.pageOf(await world.shared())];
    const policies = [one, two].map(({ headers }) => String(headers['content-security-policy']));
    const nonces = policies.map((policy) => /script-src 'nonce-([\w-]{24})'/.exec(policy)?.[1]);
    expect(new Set(nonces).size).toBe(2);
    for (const [index, { body, headers }] of [one, two].entries()) {
      const tags = [...body.matchAll(/<(?:script|style)\b[^>]*>/g)].map(([tag]) => tag);
      expect(tags).toEqual([`<style nonce="${nonces[index]}">`, `<script nonce="${nonces[index]}">`]);
      const markup = body.replaceAll(/"[^"]*"/g, '""').replaceAll(/<script[^]*?<\/script>/g, '');
      expect(markup).not.toMatch(/<[^>]*\s(?:on\w+|style)=/);
      expect(body).not.toMatch(/https?:\/\//);
      expect(policies[index]).toMatch(/^default-src 'none'; .*base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex, nofollow',
        'x-frame-options': 'DENY',
      });
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  it('shows an artist, a disk and several songs as well', async () => {
    const artist = await world.pageOf(await world.shared({ kind: 'artist', object_ids: [1] }));
    expect(linksIn(artist.body, 'play')).toHaveLength(5);
    const disk = await world.pageOf(await world.shared({ kind: 'album_disk', object_ids: [257] }));
    expect(linksIn(disk.body, 'play')).toHaveLength(3);
    const songs = await world.pageOf(await world.shared({ kind: 'song', object_ids: [3, 2] }));
    expect([...songs.body.matchAll(/data-title="([^"]+)"/g)].map((match) => match[1])).toEqual(['Elsewhere', 'Low Water']);
  });

  it('answers HEAD without a body', async () => {
    const answer = await world.pageOf(await world.shared(), { method: 'HEAD' });
    expect([answer.statusCode, answer.body]).toEqual([200, '']);
  });
});

describe('an invalid share', () => {
  it('is the same page for every reason', async () => {
    const alive = await world.shared();
    const secret = fixtureSecret(alive);
    const over = await world.shared({ expires_at_ms: TEST_NOW_MS });
    const usedUp = await world.shared({ max_visits: 2, visit_count: 2 });
    const orphan = await world.shared({ user_id: 77 });
    const urls = [
      '/share.php',
      `/share.php?id=${alive}`,
      `/share.php?id=${alive}&secret=`,
      `/share.php?id=${alive}&secret=${secret}x`,
      `/share.php?id=${alive}&secret=${secret.slice(1)}`,
      `/share.php?id=${alive + 1000}&secret=${secret}`,
      `/share.php?id=99999999999999&secret=${secret}`,
      `/share.php?id=1%27%20or%201=1&secret=${secret}`,
      `/share.php?id=${alive}%00&secret=${secret}`,
      `/share.php?id=${over}&secret=${fixtureSecret(over)}`,
      `/share.php?id=${usedUp}&secret=${fixtureSecret(usedUp)}`,
      `/share.php?id=${orphan}&secret=${fixtureSecret(orphan)}`,
      '/share.php/play',
      '/share.php/play?token=nonsense',
    ];
    const before = world.visits;
    const answers = await Promise.all(urls.map((url) => world.get(url)));
    const [first] = answers;
    for (const answer of answers) {
      expect(answer.statusCode).toBe(404);
      expect(normalized(answer.body)).toBe(normalized(first?.body ?? ''));
      expect(headersOf(answer)).toEqual(headersOf(first as (typeof answers)[number]));
    }
    expect(world.visits).toBe(before);
  });

  it.each([
    ['its owner is disabled', { disabled: true }],
    ['the access list admits nobody from there', { admits: false }],
    ['it has expired meanwhile', { nowMs: TEST_NOW_MS + 60_000 }],
  ])('is what a share becomes when %s, and so do the songs of an open page', async (_what, change) => {
    const id = await world.shared({ expires_at_ms: TEST_NOW_MS + 60_000, allow_download: true });
    const { body } = await world.pageOf(id);
    const links = [...linksIn(body, 'play'), ...linksIn(body, 'download'), ...linksIn(body, 'art')];
    expect(links).toHaveLength(7);
    const old = { ...world.standing };
    Object.assign(world.standing, change);
    try {
      expect((await world.pageOf(id)).statusCode).toBe(404);
      for (const link of links) expect((await world.get(link)).statusCode).toBe(404);
      const direct = `/play/index.php?share_id=${id}&share_secret=${fixtureSecret(id)}&oid=1`;
      expect((await world.get(direct)).statusCode).toBe(404);
    } finally {
      Object.assign(world.standing, old);
    }
    for (const link of links) expect((await world.get(link)).statusCode).toBe(200);
  });

  it('is what the switch makes of all', async () => {
    const off = await startTestGateway(world.model.read, { settings: { SHARE: false } });
    const id = await world.shared();
    expect((await off.app.inject(`/share.php?id=${id}&secret=${fixtureSecret(id)}`)).statusCode).toBe(404);
    await off.stop();
  });
});
