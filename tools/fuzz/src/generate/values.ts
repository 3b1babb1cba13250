import { callWords } from '@continuo/gateway/tables';
import fc from 'fast-check';
import { LAST_ID, type Pair } from '../wire/step.js';
import { documentedValues, yesNo } from './documents.js';
import { hostileValue, type Value } from './hostile.js';

/** An address that the server gave out. */
export interface IssuedAddress {
  readonly surface: 'play' | 'picture' | 'share' | 'hls';
  readonly path: string;
  readonly pairs: readonly Pair[];
}

/** Ids and names that the world has: what is seen, what is hidden, what belongs to somebody else. */
export interface Known {
  /** Small numbers that name things of all kinds, seen and hidden. */
  readonly ids: readonly string[];
  readonly names: readonly string[];
  readonly accounts: readonly string[];
  /** Addresses on the server’s own machine, which it must not ask. */
  readonly traps: readonly string[];
  /** Addresses that open something: shares, streams, segments, with what they were given. */
  readonly addresses: readonly IssuedAddress[];
  /** Ids of the compatibility API of things that cannot be guessed from the numbers, such as those of the private list of somebody else. */
  readonly compatIds: readonly string[];
}

/** Kinds of things, and what is called by the same parameters. */
const KINDS = [...callWords.kinds, 'bookmark', 'root'];

const text = (...values: readonly string[]): fc.Arbitrary<Value> => fc.constantFrom(...values).map((value) => ({ value }));
const dates = text('2024-01-01', 'yesterday', '1717000000', '2020-01-01/2024-01-01', '-1 week', '@0', '0', '31.12.1999');

/** Values that methods expect beside the documented ones, by name; what is in neither is anything at all. */
const expected: Readonly<Record<string, fc.Arbitrary<Value>>> = {
  type: text(...KINDS, ...callWords.orders, 'private', 'public', 'music', 'play', 'raw', 'mp3'),
  object_type: text(...KINDS),
  random_type: text(...KINDS),
  media_type: text('music', 'video', 'podcast', 'clip'),
  limit: text('1', '5', '50', 'none'),
  size: text('64', '200x100', '4096', '0x0'),
  cond: text('title,a', 'catalog,1', 'artist,2;album,1', 'tag,rock', 'year,2000'),
  sort: text('name,ASC', 'id,DESC', 'rating,asc', 'year', 'random'),
  include: text('songs', 'albums', 'songs,albums', '1'),
  add: dates,
  update: dates,
  date: dates,
  since: dates,
  time: text('0', '10', '1717000000000', '-5'),
  rating: text('0', '1', '3', '5', '6'),
  overwrite: text(...yesNo),
  format: text('raw', 'mp3', 'opus', 'aac', 'flac', 'wav', 'json', 'xml'),
  bitrate: text('64', '128', '320', '128000'),
  maxBitRate: text('0', '64', '128', '320'),
  task: text('verify_catalog', 'clean_catalog', 'add_to_catalog', 'gather_art', 'garbage_collect', 'verify', 'add', 'clean', 'remove'),
  command: text('status', 'add', 'play', 'stop', 'next', 'prev', 'skip', 'volume_up', 'pause', 'delete_all'),
  method: text('vote', 'devote', 'playlist', 'play'),
  mode: text('random', 'recent', 'frequent'),
  state: text('play', 'stop', 'pause'),
  action: text('download'),
  url: text('http://radio.example/a.mp3', 'https://talks.example/feed', 'http://localhost/play/index.php?type=song&oid=1'),
  streamUrl: text('http://radio.example/a.mp3'),
  homepageUrl: text('http://radio.example/'),
  site_url: text('http://radio.example/'),
  website: text('http://a.example/'),
  codec: text('mp3', 'ogg', 'aac'),
  email: text('somebody@example.org'),
  level: text('0', '25', '100'),
  access: text('5', '25', '50', '75', '100'),
  version: text('8.0.0', '6.6.3', '390001', '5'),
  position: text('0', '5', '1000', '2500.5'),
  current: text('so-1', '1'),
  fromYear: text('1900', '2020'),
  toYear: text('2020', '1900'),
  expires: text('0', '7', '1893456000000'),
  expire: text('0', '7'),
};

const idValue = (known: Known): fc.Arbitrary<Value> =>
  fc.oneof(text(...known.ids), text(LAST_ID), text(...known.ids.map((id) => `${id},1`)));
const prefixed = (known: Known): fc.Arbitrary<Value> =>
  fc.oneof(
    fc.tuple(fc.constantFrom(...callWords.idPrefixes), fc.constantFrom(...known.ids)).map(([prefix, id]) => ({ value: `${prefix}-${id}` })),
    text(...known.compatIds, LAST_ID),
    text(...known.ids),
  );

const ID_NAMES =
  /(?:^|_)(?:id|oid|filter|catalog|song|album|artist|parent|owner|playlist|share|items?|tracks?)$|(?:Id|ID|s?ongIndex\w*|IdToAdd|ToRemove)$/;

const usualValue = (name: string): fc.Arbitrary<Value> | undefined => {
  // A parameter that names things does so here, whatever else it says to some calls.
  const documented = ID_NAMES.test(name) ? [] : (documentedValues.get(name) ?? []);
  const all = [expected[name], documented.length > 0 ? text(...documented) : undefined].filter((one) => one !== undefined);
  return all.length > 0 ? fc.oneof(...all) : undefined;
};

const ADDRESS_NAMES = /^(?:url|streamUrl|homepageUrl|site_url|feed|website|path)$/;

/** Share of valid parameters in a call: all, most, or hardly any. */
export const hostilityLevels = ['mild', 'mild', 'mixed', 'mixed', 'wild'] as const;
/** One of them. */
export type HostilityLevel = (typeof hostilityLevels)[number];

const HOSTILE_WEIGHT: Readonly<Record<HostilityLevel, number>> = { mild: 0, mixed: 3, wild: 30 };

/** Rules for choosing values of a parameter. */
export interface Choice {
  readonly isCompat: boolean;
  readonly temper: HostilityLevel;
}

/** Values of a parameter: what is expected, and, as the temper of the call has it, what no parameter expects. */
export const valueOf = (known: Known, name: string, { isCompat, temper }: Choice): fc.Arbitrary<Value> => {
  const usual = usualValue(name);
  if (ADDRESS_NAMES.test(name) && known.traps.length > 0)
    return fc.oneof(
      { weight: 3, arbitrary: text(...known.traps) },
      { weight: 1, arbitrary: usual ?? hostileValue },
      { weight: 1, arbitrary: hostileValue },
    );
  const names = text(...known.names, 'Rock', 'a', 'New name', 'x y');
  const ids = isCompat ? prefixed(known) : idValue(known);
  const weighted = (...all: readonly (readonly [number, fc.Arbitrary<Value>])[]): fc.Arbitrary<Value> =>
    fc.oneof(
      ...[...all, [HOSTILE_WEIGHT[temper], hostileValue] as const]
        .filter(([weight]) => weight > 0)
        .map(([weight, arbitrary]) => ({ weight, arbitrary })),
    );
  if (usual) return weighted([6, usual], [temper === 'mild' ? 0 : 1, ids]);
  if (/user|owner|name/i.test(name) && !/filename|rename/i.test(name)) return weighted([4, text(...known.accounts)], [2, names]);
  if (ID_NAMES.test(name)) return weighted([6, ids], [1, names], [1, text(...KINDS)]);
  return weighted([3, names], [2, ids], [1, text(...yesNo)]);
};
