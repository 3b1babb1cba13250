import { describe, expect, it } from 'vitest';
import type { Answer } from '../wire/send.js';
import type { Step } from '../wire/step.js';
import { HIDDEN_CANARY, PRIVATE_CANARY, SECRET_CANARY } from '../world/canaries.js';
import { judge } from './judge.js';

const HEADS = {
  'x-content-type-options': 'nosniff',
  'x-correlation-id': 'some-id-of-it',
  'content-type': 'application/json; charset=UTF-8',
};
const step = (more: Partial<Step> = {}): Step => ({
  surface: 'native',
  what: 'songs',
  caller: 'user',
  credential: 'header',
  method: 'GET',
  path: '/server/json.server.php',
  query: [],
  headers: [],
  body: { kind: 'none' },
  ...more,
});
const answer = (body: string, more: Partial<Answer> = {}): Answer => ({
  status: 200,
  headers: HEADS,
  body: Buffer.from(body),
  durationMs: 1,
  ...more,
});
const managed = (more: Partial<Step> = {}): Step => step({ surface: 'manage', what: 'getCatalog', path: '/manage/v1/catalogs/1', ...more });
const problem = (more: object, status = 404): Answer => {
  const usual = { type: '/docs/problems#catalog.not-found', title: 'no such catalog', detail: 'no', status: 404 };
  const body = { ...usual, correlationId: HEADS['x-correlation-id'], ...more };
  return answer(JSON.stringify(body), { status, headers: { ...HEADS, 'content-type': 'application/problem+json; charset=utf-8' } });
};
const xml = { ...HEADS, 'content-type': 'text/xml; charset=UTF-8' };
const page = { ...HEADS, 'content-type': 'text/html; charset=utf-8' };
const POLICY = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

describe('judge', () => {
  it.each<[string, Step, Answer, string]>([
    ['a list', step(), answer('{"song":[]}'), 'ok'],
    ['a known error', step(), answer('{"error":{"errorCode":"4704","errorMessage":"Not Found"}}'), 'error 4704'],
    ['an error of an old version', step(), answer('<root><error code="404">x</error></root>', { headers: xml }), 'error 404'],
    ['an envelope', step({ surface: 'compat', what: 'ping' }), answer('<subsonic-response status="ok"/>', { headers: xml }), 'ok'],
    [
      'a refusal',
      step({ surface: 'compat', what: 'ping' }),
      answer('{"subsonic-response":{"status":"failed","error":{"code":70}}}'),
      'error 70',
    ],
    [
      'a call of a function',
      step({ surface: 'compat', what: 'ping' }),
      answer('a.b({"subsonic-response":{"status":"ok"}});', { headers: { ...HEADS, 'content-type': 'text/javascript' } }),
      'ok',
    ],
    ['bytes', step({ binary: true }), answer('ID3', { status: 206, headers: { ...HEADS, 'content-type': 'audio/mpeg' } }), 'bytes 206'],
    [
      'a page',
      step({ surface: 'share' }),
      answer('<p></html>', { status: 404, headers: { ...page, 'content-security-policy': POLICY } }),
      '404',
    ],
    [
      'a worker that is too busy',
      step({ surface: 'hls' }),
      answer('no transcoding worker answers\n', { status: 503, headers: { ...HEADS, 'content-type': 'text/plain' } }),
      'no worker',
    ],
    ['what is no HTTP', step(), answer('', { status: 400, headers: {} }), 'no HTTP'],
    ['a resource', managed(), answer('{"id":1}'), '200'],
    ['a problem', managed(), problem({}), 'catalog.not-found'],
    ['a folder, for an administrator', managed({ caller: 'admin' }), answer('{"a":"/data/of/it"}'), '200'],
    ['an administrator’s look at somebody', step({ caller: 'admin' }), answer(`{"user":"${PRIVATE_CANARY}"}`), 'ok'],
  ])('takes %s', (_, asked, got, outcome) => expect(judge(asked, got, ['/data/of/it'])).toEqual({ outcome }));

  it.each<[string, Step, Answer, RegExp]>([
    ['a failure', step(), answer('{}', { status: 500 }), /status 500/],
    ['a failure of a page', step({ surface: 'account-page' }), answer('x', { status: 503 }), /status 503/],
    [
      'a failure that nobody foresaw',
      step(),
      answer('{"error":{"errorCode":"4702","errorMessage":"an unexpected failure"}}'),
      /unforeseen/,
    ],
    ['a number that is not in the table', step(), answer('{"error":{"errorCode":"4799"}}'), /not in the table/],
    ['half a document', step(), answer('{"song":['), /no JSON/],
    ['a character that XML forbids', step(), answer('<root>\u0001</root>', { headers: xml }), /well-formed/],
    [
      'a name that ends an element',
      step({ surface: 'compat', what: 'ping' }),
      answer('<subsonic-response status="ok"><a></subsonic-response>', { headers: xml }),
      /well-formed/,
    ],
    ['an answer without its envelope', step({ surface: 'compat', what: 'ping' }), answer('{"status":"ok"}'), /no envelope/],
    ['another surface’s envelope', step({ surface: 'compat', what: 'ping' }), answer('<root/>', { headers: xml }), /the root is root/],
    ['text in the place of a document', step(), answer('oops', { headers: { ...HEADS, 'content-type': 'text/plain' } }), /of type/],
    ['a body for HEAD', step({ method: 'HEAD' }), answer('x'), /must not be/],
    ['a broken answer', step(), answer('', { broken: 'socket hang up' }), /hang up/],
    ['an answer that took too long', step(), answer('{}', { durationMs: 60_000 }), /too long/],
    ['a status that is not documented', managed(), answer('{}', { status: 203 }), /not documented/],
    ['a refusal in plain text', managed(), answer('no', { status: 400, headers: { ...HEADS, 'content-type': 'text/plain' } }), /of type/],
    ['a refusal in plain JSON', managed(), answer('{}', { status: 404 }), /of type/],
    ['a problem with another status', managed(), problem({ status: 400 }), /another status/],
    ['a problem of another request', managed(), problem({ correlationId: 'x' }), /another correlation id/],
    ['a problem without its kind', managed(), problem({ type: 'about:blank' }), /half a problem/],
    ['a failure in a problem', managed(), problem({ status: 500 }, 500), /unforeseen/],
    ['a folder, for everybody else', managed(), answer('{"a":"/data/of/it"}'), /folder of the server/],
    ['no nosniff', step(), answer('{}', { headers: { 'content-type': 'application/json' } }), /nosniff/],
    ['a cookie', step(), answer('{}', { headers: { ...HEADS, 'set-cookie': ['a=b'] } }), /cookie/],
    [
      'a page that may run anything',
      step({ surface: 'status' }),
      answer('</html>', { headers: { ...page, 'content-security-policy': `${POLICY}; style-src 'unsafe-inline'` } }),
      /policy/,
    ],
    [
      'a picture that can run',
      step({ binary: true, surface: 'picture' }),
      answer('<svg/>', { headers: { ...HEADS, 'content-type': 'image/svg+xml' } }),
      /can run/,
    ],
    ['a hidden catalog', step({ caller: 'admin' }), answer(`{"a":"${HIDDEN_CANARY} 1"}`), /hidden catalog/],
    ['what somebody keeps private', step(), answer(`{"a":"${PRIVATE_CANARY}"}`), /private/],
    ['a password', step({ caller: 'admin' }), answer(`{"a":"${SECRET_CANARY}"}`), /password/],
    ['a folder of the server', step(), answer('{"a":"/data/of/it/secret"}'), /folder of the server/],
    [
      'a stack',
      step({ surface: 'status' }),
      answer('Error: x\n    at handle (file:///app/x.js:1:2)', { headers: { ...HEADS, 'content-type': 'text/plain' } }),
      /stack trace/,
    ],
    ['words of the database', step(), answer('{"a":"invalid input syntax for type integer"}'), /database/],
    ['words of the program', step(), answer('{"a":"Cannot read properties of undefined"}'), /words of the program/],
  ])('finds %s', (_, asked, got, fault) => expect(judge(asked, got, ['/data/of/it']).fault).toMatch(fault));

  it('lets raw bytes be refused in any way but a failure', () => {
    const raw = step({ surface: 'raw', raw: '' });
    expect(judge(raw, answer('', { status: 0 }), [])).toEqual({ outcome: 'closed' });
    expect(judge(raw, answer('', { status: 505 }), [])).toEqual({ outcome: '505' });
    expect(judge(raw, answer('', { status: 500 }), []).fault).toMatch(/500/);
  });
});
