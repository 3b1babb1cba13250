import fc from 'fast-check';
import type { Step } from '../wire/step.js';

const post = (head: string, body = ''): string => `POST /server/json.server.php HTTP/1.1\r\nHost: a\r\n${head}\r\n\r\n${body}`;
const get = (head: string): string => `GET / HTTP/1.1\r\n${head}\r\n\r\n`;

const requests: readonly string[] = [
  get(''),
  get('Host: a\r\nHost: b'),
  get('Host: a\r\n folded: header'),
  get('Host : a'),
  get(`Host: a\r\nX: ${'a'.repeat(20_000)}`),
  get(`Host: a${'\r\nX: a'.repeat(3000)}`),
  get('Host: a\r\nUpgrade: h2c\r\nHTTP2-Settings: AAA\r\nConnection: Upgrade, HTTP2-Settings'),
  'GET / HTTP/9.9\r\nHost: a\r\n\r\n',
  'GET / HTTP/1.0\r\n\r\n',
  'GET  /  HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /server/json.server.php?action=ping\r\n\r\n',
  '\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'GET http://evil.example/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'GET //evil.example/%2f.. HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  'GET /\u0000 HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /a b c HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /\u00ff\u00fe HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  'GET / HTTP/1.1\nHost: a\n\n',
  'GET / HTTP/1.1\rHost: a\r\r',
  post(
    'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 11\r\nTransfer-Encoding: chunked',
    '0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n',
  ),
  post('Content-Length: 5\r\nContent-Length: 6', 'abcdef'),
  post('Content-Length: -1'),
  post('Content-Length: 99999999999999999999'),
  post('Content-Length: 0x10'),
  post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', '0\r\n\r\n'),
  post('Transfer-Encoding: xchunked', '0\r\n\r\n'),
  post('Transfer-Encoding : chunked', '0\r\n\r\n'),
  post('Transfer-Encoding: chunked', 'zz\r\nabc\r\n0\r\n\r\n'),
  post('Transfer-Encoding: chunked', 'ffffffffffffffff\r\nabc'),
  post('Transfer-Encoding: chunked', '5;ext="\r\n"\r\nabcde\r\n0\r\nX: y\r\n\r\n'),
  post('Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000', 'action=ping'),
  'POST /rest/8/json/upload HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 100\r\n\r\n--x\r\n',
  'POST /rest/ping HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 11\r\n\r\naction=ping',
  'GET /events HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  'GET',
  '\u0000'.repeat(3000),
  `${'GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(50)}GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
];

const listed = fc.constantFrom(...requests).map((text) => Buffer.from(text, 'latin1'));
const flipped = fc.tuple(listed, fc.nat(), fc.integer({ min: 0, max: 255 })).map(([bytes, at, byte]) => {
  const changed = Buffer.from(bytes);
  if (changed.length > 0) changed[at % changed.length] = byte;
  return changed;
});
const made = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));

/** Bytes that no HTTP client would send, over a connection of their own. */
export const rawCall: fc.Arbitrary<Step> = fc
  .record({
    bytes: fc.oneof({ weight: 3, arbitrary: listed }, { weight: 2, arbitrary: flipped }, { weight: 1, arbitrary: made }),
    pace: fc.constantFrom('whole' as const, 'whole' as const, 'whole' as const, 'drip' as const),
  })
  .map(({ bytes, pace }) => ({
    surface: 'raw',
    what: 'bytes',
    caller: 'nobody',
    credential: 'header',
    method: 'GET',
    path: '/',
    query: [],
    headers: [],
    body: { kind: 'none' },
    raw: bytes.toString('base64'),
    pace,
  }));
