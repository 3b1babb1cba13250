import { compatTable, type CompatEntry } from '@continuo/gateway/tables';
import fc from 'fast-check';
import type { CallerName, Pair, Step } from '../wire/step.js';
import { harmless, hostileValue, type Value } from './hostile.js';
import { jsonBody, unexpectedParameters, pair, someCaller, someHeaders, someMethod, somePlace, usualMethod } from './pieces.js';
import { hostilityLevels, valueOf, type Known, type HostilityLevel } from './values.js';

const WRITING =
  /^(?:add|change|create|delete|download|report|save|scrobble|set|star|unstar|start|stream|update|refresh|jukebox|hls|getTranscode)/;
/** True for an operation that may leave something in the log. */
export const writes = (operation: string): boolean => WRITING.test(operation);

/** Operations by which somebody could lock the campaign out. */
const DANGEROUS = /^(?:changePassword|deleteUser|updateUser|createUser)$/;

const parametersOf = (known: Known, { name, parameters }: CompatEntry, temper: HostilityLevel): fc.Arbitrary<readonly Pair[]> => {
  const isDangerous = DANGEROUS.test(name);
  const some = (parameter: string, value: Value): Pair => pair(parameter, isDangerous ? harmless(value) : value);
  const one = (parameter: string): fc.Arbitrary<readonly Pair[]> => {
    const value = valueOf(known, parameter, { isCompat: true, temper });
    return fc.oneof(
      { weight: temper === 'mild' ? 20 : 6, arbitrary: value.map((given) => [some(parameter, given)]) },
      { weight: 1, arbitrary: fc.array(value, { minLength: 2, maxLength: 5 }).map((all) => all.map((given) => some(parameter, given))) },
      { weight: 2, arbitrary: fc.constant<readonly Pair[]>([]) },
    );
  };
  const others =
    isDangerous || temper === 'mild'
      ? fc.constant<readonly Pair[]>([])
      : unexpectedParameters(['id', 'u', 'p', 't', 's', 'c', 'v', 'musicFolderId']);
  return fc.tuple(fc.tuple(...parameters.map(one)), others).map(([named, more]) => {
    const pairs = [...named.flat(), ...more];
    return isDangerous ? pairs.filter(({ value }) => !known.accounts.includes(value)) : pairs;
  });
};

const usual = (format: 'json' | 'xml', client = 'fuzz'): readonly Pair[] => [
  { name: 'v', value: '1.16.1' },
  { name: 'c', value: client },
  ...(format === 'json' ? [{ name: 'f', value: 'json' }] : []),
];

interface Frame {
  readonly format: 'json' | 'xml';
  readonly pairs: readonly Pair[];
}

const frame: fc.Arbitrary<Frame> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('json' as const, 'xml' as const).map((format): Frame => ({ format, pairs: usual(format) })) },
  {
    weight: 1,
    arbitrary: fc.tuple(hostileValue, hostileValue).map(([v, c]): Frame => ({ format: 'xml', pairs: [pair('v', v), pair('c', c)] })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('DSub', 'SubMusic', 'continuo').map((client): Frame => ({ format: 'json', pairs: usual('json', client) })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(hostileValue, fc.constantFrom('jsonp', 'json', 'xml'))
      .map(([callback, f]): Frame => ({ format: 'json', pairs: [...usual('xml'), { name: 'f', value: f }, pair('callback', callback)] })),
  },
);

const callOf = (known: Known, entry: CompatEntry, caller: CallerName): fc.Arbitrary<Step> =>
  fc
    .record({
      framed: frame,
      pairs: fc.constantFrom(...hostilityLevels).chain((temper) => parametersOf(known, entry, temper)),
      method: someMethod,
      credential: somePlace,
      headers: someHeaders,
      suffix: fc.constantFrom('', '', '.view'),
      carrier: fc.constantFrom('query', 'query', 'form', 'json'),
    })
    .chain(({ framed, pairs, method, credential, headers, suffix, carrier }) => {
      const step = (query: readonly Pair[], body: Step['body']): Step => ({
        surface: 'compat',
        what: entry.name,
        caller,
        credential,
        method: body.kind === 'none' ? usualMethod(method) : 'POST',
        path: `/rest/${entry.name}${suffix}`,
        query,
        headers,
        body,
        format: framed.format,
        ...(entry.binary ? { binary: true as const } : {}),
      });
      if (carrier === 'form') return fc.constant(step(framed.pairs, { kind: 'form', pairs }));
      return carrier === 'json'
        ? jsonBody(pairs).map((body) => step(framed.pairs, body))
        : fc.constant(step([...framed.pairs, ...pairs], { kind: 'none' }));
    });

/** A call of any operation by anybody. */
export const compatCall = (known: Known): fc.Arbitrary<Step> =>
  fc.tuple(fc.constantFrom(...compatTable), someCaller).chain(([entry, caller]) => callOf(known, entry, caller));

/** A call of an operation that does not exist. */
export const compatUnknown: fc.Arbitrary<Step> = fc
  .record({ framed: frame, name: hostileValue, caller: someCaller, credential: somePlace })
  .map(({ framed, name, caller, credential }) => ({
    surface: 'compat',
    what: '(unknown)',
    caller,
    credential,
    method: 'GET',
    path: `/rest/x${encodeURIComponent(name.value.toWellFormed().slice(0, 900))}`,
    query: framed.pairs,
    headers: [],
    body: { kind: 'none' },
  }));

/** A call of an operation that only reads, by GET. */
export const compatReading = (known: Known): fc.Arbitrary<Step> =>
  fc
    .tuple(fc.constantFrom(...compatTable.filter(({ name, binary }) => !writes(name) && !binary)), someCaller)
    .chain(([entry, caller]) => callOf(known, entry, caller))
    .map((step): Step => ({ ...step, method: 'GET', body: { kind: 'none' } }));

const FAMILIES = [/Playlist/, /Share/, /Bookmark|PlayQueue/, /RadioStation/, /Podcast/, /star|Starred|Rating|scrobble/, /Chat/];

/** A few calls about the same kind of thing, by the same account or another. */
export const compatStory = (known: Known): fc.Arbitrary<readonly Step[]> =>
  fc.tuple(fc.constantFrom(...FAMILIES), someCaller, someCaller).chain(([family, maker, other]) => {
    const own = compatTable.filter(({ name }) => family.test(name));
    const one = fc
      .tuple(fc.constantFrom(...own), fc.constantFrom(maker, maker, other))
      .chain(([entry, caller]) => callOf(known, entry, caller));
    return fc.array(one, { minLength: 2, maxLength: 6 });
  });
