import fc from 'fast-check';
import { callerNames, credentialPlaces, type Body, type CallerName, type CredentialPlace, type Pair } from '../wire/step.js';
import { hostileValue, type Value } from './hostile.js';

/** Caller: all levels alike, unauthenticated ones less often. */
export const someCaller: fc.Arbitrary<CallerName> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom<CallerName>('guest', 'user', 'content', 'catalog', 'admin') },
  { weight: 1, arbitrary: fc.constantFrom(...callerNames) },
);

/** Where the caller shows who it is. */
export const somePlace: fc.Arbitrary<CredentialPlace> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<CredentialPlace>('header') },
  { weight: 2, arbitrary: fc.constantFrom(...credentialPlaces) },
);

/** Methods: those that are in use, and now and then another. */
export const someMethod: fc.Arbitrary<string> = fc.oneof(
  { weight: 10, arbitrary: fc.constantFrom('GET', 'POST') },
  { weight: 2, arbitrary: fc.constantFrom('HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS') },
  { weight: 1, arbitrary: fc.constantFrom('PROPFIND', 'TRACE', 'SEARCH', 'LOCK', 'QUERY') },
);

type Header = readonly [name: string, value: string];

const bytes = [
  'bytes=0-',
  'bytes=0-0',
  'bytes=-1',
  'bytes=5-2',
  'bytes=999999999-',
  'bytes=0-1,3-4',
  `bytes=${Array.from({ length: 300 }, (_, n) => `${n}-${n}`).join(',')}`,
  'bytes=a-b',
  'items=0-1',
  'bytes=-0',
  'bytes=99999999999999999999-',
  'bytes= 0 - 5',
  'bytes=-99999999999',
];
const addresses = [
  '127.0.0.1',
  '10.0.0.1, 127.0.0.1',
  '::1',
  "'",
  '999.1.1.1',
  'unknown',
  'a'.repeat(2000),
  '1.1.1.1,'.repeat(200),
  '[::1]:80',
  '_hidden',
  '127.0.0.1:99999',
];
const odd = [
  '',
  '*',
  '"',
  'W/"x"',
  '"a", "b"',
  'x'.repeat(3000),
  '%00',
  'null',
  '-1',
  '\t',
  'é',
  '<script>',
  '0',
  '99999999999999999999',
  'Thu, 01 Jan 1970 00:00:00 GMT',
  'Fri, 99 Foo 9999 99:99:99 GMT',
];

const of = (name: string, values: readonly string[]): fc.Arbitrary<Header> =>
  fc.constantFrom(...values).map((value) => [name, value] as const);

/** Headers that a server reads, with values that it does not expect. */
export const someHeaders: fc.Arbitrary<readonly Header[]> = fc.oneof(
  { weight: 5, arbitrary: fc.constant([]) },
  {
    weight: 2,
    arbitrary: fc.array(
      fc.oneof(
        of('range', bytes),
        of('if-range', odd),
        of('if-none-match', odd),
        of('if-modified-since', odd),
        of('x-forwarded-for', addresses),
        of('x-forwarded-host', ['evil.example', 'a b', '<', 'x'.repeat(3000)]),
        of('x-forwarded-proto', ['https', 'javascript', 'x'.repeat(100)]),
        of('forwarded', ['for=1.1.1.1;host=evil.example;proto=https', ';;;']),
        of('host', ['evil.example', 'a"b', '<script>', 'x'.repeat(300), '127.0.0.1:0', '[::1', 'a/b', '']),
        of('accept', ['application/xml', '*/*;q=banana', 'x'.repeat(3000), 'text/html']),
        of('accept-encoding', ['gzip, deflate, br', 'identity;q=0', '*;q=0', 'x'.repeat(1000), 'gzip;q=-1']),
        of('accept-language', ['de', 'x'.repeat(3000), '*']),
        of('user-agent', ['', 'DSub', 'x'.repeat(4000), '() { :;}; echo', '%s%n']),
        of('origin', ['null', 'https://evil.example', 'file://']),
        of('referer', ['https://evil.example/?auth=x', 'x'.repeat(3000)]),
        of('cookie', ['continuo=x', 'continuo=%ff; continuo=y', `a=${'b'.repeat(3000)}`, ';;;=;', '__Host-continuo=x; continuo-form=0']),
        of('traceparent', ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 'x', '00-'.repeat(500)]),
        of('last-event-id', odd),
        of('expect', ['100-continue']),
        of('content-encoding', ['gzip', 'br', 'x']),
        of('x-http-method-override', ['DELETE']),
        of('sec-fetch-site', ['cross-site', 'none']),
        of('access-control-request-headers', ['authorization', 'x'.repeat(2000), 'é']),
      ),
      { minLength: 1, maxLength: 4 },
    ),
  },
);

/** A pair of a name and a value. */
export const pair = (name: string, { value, raw }: Value): Pair => ({ name, value, ...(raw ? { raw } : {}) });

/** Parameters that nobody asked for: names of others' objects, lists, doubles. */
export const unexpectedParameters = (names: readonly string[]): fc.Arbitrary<readonly Pair[]> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.array(
        fc
          .tuple(
            fc.constantFrom(
              ...names,
              '__proto__',
              'constructor',
              'a[]',
              'a[b]',
              'filter[]',
              'id[]',
              'limit[$gt]',
              '',
              '\u0000',
              'x'.repeat(500),
              'auth',
              'user',
              'callback',
              'f',
            ),
            hostileValue,
          )
          .map(([name, value]) => pair(name, value)),
        { minLength: 1, maxLength: 3 },
      ),
    },
  );

const jsonValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1.5e300,
    [],
    {},
    [['1']],
    { a: { b: 1 } },
    ['1', "'", null],
    '\u0000',
    1.2345678901234567e19,
  ),
);

/** JSON of parameters: texts mostly, sometimes values of other kinds, sometimes broken. */
export const jsonBody = (pairs: readonly Pair[]): fc.Arbitrary<Body> =>
  fc
    .tuple(fc.array(fc.tuple(fc.nat(), jsonValue), { maxLength: 2 }), fc.constantFrom('', '', '', '', '', '', ',', '}', '\u0000', '\ufeff'))
    .map(([replaced, tail]) => {
      const fields: Record<string, unknown> = Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
      const names = Object.keys(fields);
      for (const [at, value] of replaced) {
        const name = names[at % Math.max(1, names.length)];
        if (name !== undefined && name !== 'action' && name !== 'auth') fields[name] = value;
      }
      return { kind: 'json', text: JSON.stringify(fields) + tail };
    });

const strangeTypes = [
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded; charset=x',
  'application/octet-stream',
  'a',
  'image/svg+xml',
  'application/json;',
  'x'.repeat(500),
];

/** A body that may be no body of its type at all. */
export const strangeBody: fc.Arbitrary<Body> = fc
  .tuple(
    fc.constantFrom(...strangeTypes),
    fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc
        .constantFrom(
          '{"a":',
          '[',
          '{'.repeat(5000),
          '--x\r\n',
          '--x--',
          '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb',
          '<a>',
          '\u0000',
          'a=%',
          '&'.repeat(3000),
        )
        .map((one) => Buffer.from(one)),
    ),
  )
  .map(([type, content]) => ({ kind: 'bytes', type, base64: Buffer.from(content).toString('base64') }));

/** The method, or GET in the place of one that the APIs have no route for. */
export const usualMethod = (method: string): string =>
  ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method) ? method : 'GET';
