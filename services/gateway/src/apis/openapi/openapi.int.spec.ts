import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ShareWorld } from '../../../test/share-page/share-world.fixture.js';

let world: ShareWorld;
beforeAll(async () => {
  world = await ShareWorld.start();
});
afterAll(() => world.stop());

const get = (url: string, headers: Record<string, string> = {}) => world.gateway.app.inject({ method: 'GET', url, headers });

describe('documents of the APIs', () => {
  it.each(['native-8', 'native-6', 'compat', 'manage', 'asyncapi'])('serves %s below 2 MB, without a login', async (name) => {
    const { statusCode, headers, rawPayload } = await get(`/openapi/${name}.json`);
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(rawPayload.byteLength).toBeLessThan(2_000_000);
    expect(JSON.parse(String(rawPayload))).toHaveProperty('info.title');
  });
  it('sends a document compressed, and not again to those who have it', async () => {
    const plain = await get('/openapi/native-8.json');
    const zipped = await get('/openapi/native-8.json', { 'accept-encoding': 'gzip' });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.rawPayload)).toEqual(plain.rawPayload);
    const again = await get('/openapi/native-8.json', { 'if-none-match': String(plain.headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });
  it('knows no other files', async () => {
    for (const url of ['/openapi/nothing.json', '/openapi/..%2F..%2Fpackage.json', '/openapi/constructor', '/docs/package.json'])
      expect((await get(url)).statusCode).toBe(404);
  });
});

describe('the page of the documents', () => {
  it('loads files of this server alone', async () => {
    const { headers, body } = await get('/docs');
    const policy = String(headers['content-security-policy']);
    const [nonce] = /(?<=script-src 'nonce-)[\w-]{24}(?='; style-src 'self'; img-src 'self' data:; connect-src 'self';)/.exec(policy) ?? [];
    expect([...body.matchAll(/<script nonce="(?<mark>[^"]*)"/g)].map(({ groups }) => groups?.['mark'])).toEqual([nonce, nonce, nonce]);
    expect(String((await get('/docs')).headers['content-security-policy'])).not.toBe(policy);
    const files = [...body.matchAll(/(?:src|href)="(?<file>docs\/[^"]+)"/g)].map(({ groups }) => groups?.['file'] ?? '');
    expect(files.length).toBe(4);
    for (const file of files) expect((await get(`/${file}`)).statusCode).toBe(200);
    expect(body).not.toMatch(/https?:\/\//);
  });
  it('explains each code of a problem', async () => {
    expect((await get('/docs/problems')).body).toContain('id="precondition.failed"');
  });
});
