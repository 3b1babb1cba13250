import { nativeTable } from '@continuo/gateway/tables';
import fc from 'fast-check';
import type { Step } from '../wire/step.js';
import { bodyFields, restPaths } from './documents.js';
import { harmless, hostileValue } from './hostile.js';
import { jsonBody, unexpectedParameters, pair, someCaller, someHeaders, someMethod, somePlace, usualMethod } from './pieces.js';
import type { Known } from './values.js';

const WORDS = [...new Set(restPaths.flatMap(({ parts }) => parts.filter((part) => !part.includes('{'))))];
const FIRST = [...new Set([...restPaths.map(({ parts: [first = ''] }) => first), ...nativeTable.map(({ name }) => name)])];

/** Paths that could destroy the fixtures of the campaign. */
const DANGEROUS =
  /^\/rest\/[^/]*\/[^/]*\/(?:users?|catalogs?|songs?|preferences?|user_\w+|catalog_\w+|song_delete|system[\w-]*|preference_\w+)(?:\/|$)/;

const escapedPart = ({ value, raw }: { readonly value: string; readonly raw?: true }): string =>
  raw ? value.replaceAll(/[\s?#]/g, '') : encodeURIComponent(value.toWellFormed().slice(0, 900));

const part = (known: Known): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...known.ids) },
    { weight: 2, arbitrary: fc.constantFrom(...WORDS) },
    { weight: 1, arbitrary: fc.constantFrom(...known.names).map(encodeURIComponent) },
    { weight: 2, arbitrary: hostileValue.map(escapedPart) },
  );

const fields = fc.array(
  fc.tuple(fc.constantFrom(...bodyFields), hostileValue).map(([name, value]) => pair(name, value)),
  { maxLength: 4 },
);

interface Place {
  readonly parts: readonly string[];
  readonly method?: string;
}

/** A path of the documents with its variables filled, or one of any words. */
const place = (known: Known): fc.Arbitrary<Place> =>
  fc.oneof(
    fc
      .constantFrom(...restPaths)
      .chain(({ method, parts }) =>
        fc
          .tuple(...parts.map((one) => (one.includes('{') ? part(known) : fc.constant(one))))
          .map((filled): Place => ({ method, parts: filled })),
      ),
    fc
      .tuple(fc.constantFrom(...FIRST), fc.array(part(known), { maxLength: 4 }))
      .map(([first, rest]): Place => ({ parts: [first, ...rest] })),
  );

/** A call of the REST form. */
export const restCall = (known: Known): fc.Arbitrary<Step> =>
  fc
    .record({
      version: fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom('8', '6', '5') },
        { weight: 1, arbitrary: fc.constantFrom('3', '4', '7', '0', 'x', '%00', '8.0.0', '%2e%2e') },
      ),
      format: fc.constantFrom('json' as const, 'xml' as const),
      at: place(known),
      any: someMethod,
      query: unexpectedParameters(['filter', 'limit', 'type', 'name', 'id', 'cond', 'sort']),
      body: fields.chain(jsonBody),
      caller: someCaller,
      credential: somePlace,
      headers: someHeaders,
    })
    .map(({ version, format, at: { parts, method: usual }, any, query, body, caller, credential, headers }): Step => {
      const path = `/rest/${version}/${format}/${parts.join('/')}`;
      const method = usual ?? usualMethod(any);
      const isReading = method === 'GET' || method === 'HEAD';
      const isDangerous = DANGEROUS.test(path) && (caller === 'admin' || caller === 'catalog');
      return {
        surface: 'native-rest',
        what: parts.length > 1 ? `${parts[0] ?? ''}/…` : (parts[0] ?? ''),
        caller: isDangerous ? 'content' : caller,
        credential,
        method,
        path,
        query: isDangerous ? query.map((one) => ({ name: one.name, ...harmless(one) })) : query,
        headers,
        body: isReading ? { kind: 'none' } : body,
        format,
        binary: true,
      };
    });
