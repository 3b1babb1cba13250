import { expect, it } from 'vitest';
import { partOf, withFreshNonce } from './answers.js';

const file = (): Response => new Response('0123456789', { headers: { 'content-type': 'audio/flac' } });

it.each([
  ['bytes=0-', '0123456789', 'bytes 0-9/10'],
  ['bytes=2-4', '234', 'bytes 2-4/10'],
  ['bytes=8-99', '89', 'bytes 8-9/10'],
  ['bytes=-3', '789', 'bytes 7-9/10'],
])('answers %s with that part of the file', async (range, text, contentRange) => {
  const part = await partOf(file(), range);
  expect([part.status, await part.text(), part.headers.get('content-range'), part.headers.get('content-type')]).toEqual([
    206,
    text,
    contentRange,
    'audio/flac',
  ]);
});

it('says how long a file is of which a part behind its end was asked for', async () => {
  const part = await partOf(file(), 'bytes=10-');
  expect([part.status, part.headers.get('content-range')]).toEqual([416, 'bytes */10']);
});

it.each([null, 'bytes=-', 'bytes=0-1,4-5', 'pages=1-2'])('answers %s with the whole file', async (range) => {
  const whole = await partOf(file(), range);
  expect([whole.status, await whole.text()]).toEqual([200, '0123456789']);
});

it('gives a kept page a nonce of its own each time', async () => {
  const page = (): Response =>
    new Response('<script nonce="old_nonce"></script><link nonce="old_nonce">', {
      headers: { 'content-security-policy': "script-src 'nonce-old_nonce' 'strict-dynamic'; style-src 'nonce-old_nonce'" },
    });
  const nonces = await Promise.all(
    [page(), page()].map(async (kept) => {
      const fresh = await withFreshNonce(kept);
      const [, nonce = ''] = /script-src 'nonce-([^']+)'/.exec(fresh.headers.get('content-security-policy') ?? '') ?? [];
      expect(await fresh.text()).toBe(`<script nonce="${nonce}"></script><link nonce="${nonce}">`);
      return nonce;
    }),
  );
  expect(nonces).not.toContain('old_nonce');
  expect(new Set(nonces).size).toBe(2);
});
