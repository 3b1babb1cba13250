import { callWords, nativeTable, type NativeEntry } from '@continuo/gateway/tables';
import fc from 'fast-check';
import type { Body, CallerName, Pair, Step } from '../wire/step.js';
import { harmless, hostileValue } from './hostile.js';
import {
  jsonBody,
  unexpectedParameters,
  pair,
  someCaller,
  someHeaders,
  someMethod,
  somePlace,
  strangeBody,
  usualMethod,
} from './pieces.js';
import { hostilityLevels, valueOf, type Known, type HostilityLevel } from './values.js';

/** Actions that change something by their very nature; all others only read, whatever they are given. */
const WRITING =
  /_(?:create|edit|delete|add|remove|add_song|remove_song|update|action|file)$|^(?:flag|rate|scrobble|record_play|player|democratic|localplay|register|lost_password|upload|toggle_follow|update_\w+|system_update|handshake|goodbye|ping|stream|download|playlist_generate|catalog_folder)$/;

/** True for an action that may leave something in the log. */
export const writes = (action: string): boolean => WRITING.test(action);

/** Actions by which administrators could take away what the campaign stands on; they get nothing that names it. */
const DANGEROUS =
  /^(?:user_(?:delete|edit|update)|catalog_(?:delete|action|file|folder)|song_delete|preference_(?:delete|edit)|system_preference\w*)$/;

const RULES = [...callWords.rules, 'none', 'constructor'];
const ODD_VERSIONS = ['8.0.0', '8', '6.6.3', '5.5.6', '443000', '390001', '3', '', '7', '9', 'x'];

/** Spelling of a version by its clients. */
const SPELT: Readonly<Record<number, string>> = { 8: '8.0.0', 6: '6.6.3', 5: '5.5.6', 4: '443000', 3: '390001' };

const rulePairs: fc.Arbitrary<readonly Pair[]> = fc
  .array(fc.tuple(fc.constantFrom(...RULES), fc.integer({ min: -1, max: 20 }), hostileValue), { minLength: 1, maxLength: 5 })
  .map((rules) =>
    rules.flatMap(([rule, operator, input], at) => [
      { name: `rule_${at + 1}`, value: rule },
      { name: `rule_${at + 1}_operator`, value: String(operator) },
      pair(`rule_${at + 1}_input`, input),
    ]),
  );

const parametersOf = (
  known: Known,
  { name, parameters }: NativeEntry,
  caller: CallerName,
  temper: HostilityLevel,
): fc.Arbitrary<readonly Pair[]> => {
  const isDangerous = DANGEROUS.test(name) && (caller === 'admin' || caller === 'catalog' || name === 'user_update');
  const own = parameters.map((parameter) =>
    fc.oneof(
      {
        weight: temper === 'mild' ? 9 : 3,
        arbitrary: valueOf(known, parameter, { isCompat: false, temper }).map((value) => [
          pair(parameter, isDangerous ? harmless(value) : value),
        ]),
      },
      { weight: 1, arbitrary: fc.constant<readonly Pair[]>([]) },
    ),
  );
  const rules = /search|smartlist|playlist_generate|random/.test(name) ? rulePairs : fc.constant<readonly Pair[]>([]);
  const others =
    isDangerous || temper === 'mild'
      ? fc.constant<readonly Pair[]>([])
      : unexpectedParameters(parameters.length > 0 ? parameters : ['filter']);
  return fc.tuple(fc.tuple(...own), rules, others).map(([named, ruled, more]) => {
    const pairs = [...named.flat(), ...ruled, ...more];
    return isDangerous ? pairs.filter(({ value }) => !known.accounts.includes(value)) : pairs;
  });
};

/** Where a call puts its parameters. */
type Carrier = 'query' | 'form' | 'json' | 'multipart' | 'both';
const carriers: fc.Arbitrary<Carrier> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Carrier>('query') },
  { weight: 3, arbitrary: fc.constantFrom<Carrier>('form', 'json', 'multipart', 'both') },
);

interface Carried {
  readonly query: readonly Pair[];
  readonly body: Body;
  readonly method?: 'POST';
}

const carried = (carrier: Carrier, pairs: readonly Pair[]): fc.Arbitrary<Carried> => {
  switch (carrier) {
    case 'query':
      return fc.constant<Carried>({ query: pairs, body: { kind: 'none' } });
    case 'form':
      return fc.constant<Carried>({ query: [], body: { kind: 'form', pairs }, method: 'POST' });
    case 'multipart':
      return fc.constant<Carried>({ query: [], body: { kind: 'multipart', pairs }, method: 'POST' });
    case 'json':
      return jsonBody(pairs).map((body): Carried => ({ query: [], body, method: 'POST' }));
    case 'both':
      return strangeBody.map((body): Carried => ({ query: pairs, body, method: 'POST' }));
  }
};

const callOf = (known: Known, entry: NativeEntry, caller: CallerName): fc.Arbitrary<Step> =>
  fc
    .record({
      format: fc.constantFrom('json' as const, 'xml' as const),
      version: fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom(...entry.versions.map((version) => SPELT[version] ?? '')) },
        { weight: 1, arbitrary: fc.constantFrom(...ODD_VERSIONS) },
      ),
      pairs: fc.constantFrom(...hostilityLevels).chain((temper) => parametersOf(known, entry, caller, temper)),
      method: someMethod,
      carrier: carriers,
      credential: somePlace,
      headers: someHeaders,
    })
    .chain(({ format, version, pairs, method, carrier, credential, headers }) =>
      carried(carrier, [{ name: 'action', value: entry.name }, { name: 'version', value: version }, ...pairs]).map((how): Step => ({
        surface: entry.name === 'upload' ? 'upload' : 'native',
        what: entry.name,
        caller,
        credential,
        method: how.method ?? usualMethod(method),
        path: `/server/${format}.server.php`,
        query: how.query,
        headers,
        body: how.body,
        format,
        ...(entry.binary ? { binary: true as const } : {}),
      })),
    );

/** A call of any action by anybody. */
export const nativeCall = (known: Known): fc.Arbitrary<Step> =>
  fc.tuple(fc.constantFrom(...nativeTable), someCaller).chain(([entry, caller]) => callOf(known, entry, caller));

const pairsIn = ({ body, what }: Step): readonly Pair[] => ('pairs' in body ? body.pairs : [{ name: 'action', value: what }]);

/** A call of an action that only reads, by GET. */
export const nativeReading = (known: Known): fc.Arbitrary<Step> =>
  fc
    .tuple(fc.constantFrom(...nativeTable.filter(({ name, binary }) => !writes(name) && !binary)), someCaller)
    .chain(([entry, caller]) => callOf(known, entry, caller))
    .map((step): Step => ({ ...step, method: 'GET', query: step.query.length > 0 ? step.query : pairsIn(step), body: { kind: 'none' } }));

const LONG_FAMILIES = /^(?:playlist_folder|live_stream|podcast_episode|album_disk)/;

/** Actions that are about the same kind of thing, of kinds that somebody can make. */
const families = [
  ...Map.groupBy(nativeTable, ({ name }) => LONG_FAMILIES.exec(name)?.[0] ?? name.replace(/_.*$/, '').replace(/s$/, '')).values(),
].filter((all) => all.some(({ name }) => name.endsWith('_create')));

/** A few calls about the same kind of thing: something is made, and then read, changed and removed by its id, by the same account or another. */
export const nativeStory = (known: Known): fc.Arbitrary<readonly Step[]> =>
  fc.tuple(fc.constantFrom(...families), someCaller, someCaller).chain(([family, maker, other]) => {
    const first = fc.constantFrom(...family.filter(({ name }) => name.endsWith('_create'))).chain((entry) => callOf(known, entry, maker));
    const then = fc
      .tuple(fc.constantFrom(...family), fc.constantFrom(maker, maker, other))
      .chain(([entry, caller]) => callOf(known, entry, caller));
    return fc.tuple(first, fc.array(then, { minLength: 1, maxLength: 5 })).map(([begin, rest]) => [begin, ...rest]);
  });
