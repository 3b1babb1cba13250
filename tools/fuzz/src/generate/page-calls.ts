import fc from 'fast-check';
import type { Body, Pair, Step } from '../wire/step.js';
import { hostileValue } from './hostile.js';
import { pageRoutes, type PageRoute } from './page-routes.js';
import { jsonBody, unexpectedParameters, pair, someCaller, someHeaders, someMethod, somePlace, strangeBody } from './pieces.js';
import { hostilityLevels, valueOf, type Known, type HostilityLevel } from './values.js';

/** A picture of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** Beginnings of pictures and sounds that are none. */
const BEGINNINGS = [
  '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
  'GIF89a',
  '',
  'ID3\u0004\u0000\u0000\u007f\u007f\u007f\u007f',
  'fLaC\u0000\u0000\u0000"',
  'RIFF\u0000\u0000\u0000\u0000WAVE',
];

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

const someFile = fc.record({
  name: hostileValue.map(({ value }) => value.slice(0, 300) || 'a.mp3'),
  base64: fc.oneof(
    fc.constant(PIXEL),
    fc.constantFrom(...BEGINNINGS).map((text) => base64(Buffer.from(text, 'latin1'))),
    fc.uint8Array({ maxLength: 400 }).map(base64),
  ),
});

const bodyFor = (route: PageRoute, pairs: readonly Pair[]): fc.Arbitrary<Body> => {
  if (/picture$|upload/.test(route.what))
    return fc.oneof(
      someFile.map((file): Body => ({ kind: 'multipart', pairs, file })),
      strangeBody,
    );
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant<Body>({ kind: 'form', pairs }) },
    { weight: 1, arbitrary: jsonBody(pairs) },
    { weight: 1, arbitrary: strangeBody },
  );
};

/** The right mark of the session, which a browser would send. */
const marked = (pairs: readonly Pair[]): readonly Pair[] => [
  ...pairs.filter(({ name }) => name !== 'mark'),
  { name: 'mark', value: '@mark@' },
];

/** Issued parameters, unchanged or with one of them changed. */
const keptOf = (given: readonly Pair[], temper: HostilityLevel): fc.Arbitrary<readonly Pair[]> =>
  temper !== 'wild' || given.length === 0
    ? fc.constant(given)
    : fc
        .tuple(fc.nat({ max: given.length - 1 }), hostileValue)
        .map(([at, value]) => given.map((one, index) => (index === at ? pair(one.name, value) : one)));

const parametersOf = (known: Known, { parameters, given = [] }: PageRoute, temper: HostilityLevel): fc.Arbitrary<readonly Pair[]> =>
  fc
    .tuple(
      ...parameters.map((name) =>
        fc.oneof(
          valueOf(known, name, { isCompat: false, temper }).map((value) => [pair(name, value)]),
          fc.constant<readonly Pair[]>([]),
        ),
      ),
      unexpectedParameters(parameters),
    )
    .chain((all) => keptOf(given, temper).map((kept) => [...kept, ...all.flat()]));

const callOf = (known: Known, route: PageRoute): fc.Arbitrary<Step> =>
  fc
    .record({
      path: fc.constantFrom(...route.paths),
      method: route.methods
        ? fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...route.methods) }, { weight: 1, arbitrary: someMethod })
        : someMethod,
      pairs: fc.constantFrom(...hostilityLevels).chain((temper) => parametersOf(known, route, temper)),
      isMarked: fc.boolean(),
      caller: someCaller,
      credential: route.surface === 'account-page' ? fc.constant('cookie' as const) : somePlace,
      headers: someHeaders,
    })
    .chain(({ path, method, pairs, isMarked, caller, credential, headers }) => {
      const common = { surface: route.surface, what: route.what, caller, credential, method, path, headers };
      if (!['POST', 'PUT', 'PATCH'].includes(method)) return fc.constant<Step>({ ...common, query: pairs, body: { kind: 'none' } });
      return bodyFor(route, isMarked ? marked(pairs) : pairs).map((body): Step => ({
        ...common,
        query: route.surface === 'play' ? pairs : [],
        body,
      }));
    });

/** A call of what is no API: pages, streams, pictures, lists. */
export const pageCall = (known: Known): fc.Arbitrary<Step> => fc.constantFrom(...pageRoutes(known)).chain((route) => callOf(known, route));
