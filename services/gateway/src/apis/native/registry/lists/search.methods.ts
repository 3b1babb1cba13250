import { z } from 'zod';
import { IdList } from '../../../../reads/lists/id-list.js';
import {
  AS_ATTRIBUTE,
  AS_CDATA,
  fieldNode,
  HELD_AT_MOST,
  listNode,
  objectNode,
  renderedList,
  type FieldNode,
  type Node,
} from '../../../../render/index.js';
import {
  isSearchType,
  knownRules,
  listRules,
  logicOf,
  noRuleLeft,
  requestedRules,
  searchRules,
  type Features,
  type ListedRule,
  type Option,
  type SearchRule,
  type SearchType,
  searchTypes,
} from '../../../../search/index.js';
import { badValue, missing, oneOf } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import type { Named } from '../../named-object.js';
import { songObject } from '../../objects/song.object.js';
import { idsOfPage, pageResult, readPage } from '../../paging.js';
import { flag, limit, named, offset, positions } from '../../params.js';
import { itemsFrom, type Items, type NativeResult, type Rendering } from '../../result.js';
import { songReader } from './reading.js';
import { nativeTypes, pageOf, type TypeServices } from './native-types.js';
import type { HasSearches } from '../../../../search/searches.js';
import { BEST_MATCHES, bestMatches } from '../../../../search/words/best-matches.js';
import type { HasWordSearch } from '../../../../search/words/create-word-search.js';
import { disabledFeature } from '../../../../kinds/index.js';
import { requireKind } from '../../require-kind.js';

type Services = TypeServices & HasSearches & HasWordSearch;
const { method } = methodsUsing<Services>();

const every = [3, 4, 5, 6, 8] as const;

const page = z.object({ offset, limit, positions, random: flag });

/** Common parameters, and all others: rules are numbered parameters. */
const ruleParams = z.record(z.string(), z.string()).transform((raw) => ({ ...page.parse(raw), raw }));
type Ruled = CallerCall<z.output<typeof ruleParams>, Services>;

/** Versions before 5 do not require complete rules. */
const isStrict = ({ policy }: Ruled): boolean => policy.version >= 5;

type Asked = Pick<CallerCall<unknown, Services>, 'services'>;

const typeOf = (call: Asked, text: string | undefined, parameter: string): SearchType => {
  const name = text?.trim().toLowerCase() || 'song';
  if (!isSearchType(name)) throw badValue(parameter, text ?? '', oneOf(searchTypes));
  requireKind(call, name);
  return name;
};

const run = ({ params, services, viewer }: Ruled, type: SearchType, rules: readonly SearchRule[]): Promise<IdList> =>
  services.searches.ids({ type, rules, logic: logicOf(params.raw['operator']), random: params.random }, viewer);

/** `words`, which replace the rules; undefined when the call has none. */
const wordsOf = ({ params }: Ruled): string | undefined => {
  const { words } = params.raw;
  // An empty search must not match everything.
  if (words?.trim() === '') throw missing('words');
  return words;
};

const NOTHING = new IdList(new Int32Array(0));

/** Disks exist in version 8 only; older versions find none. */
const isKnownToVersion = ({ policy }: Pick<Ruled, 'policy'>, type: SearchType): boolean => type !== 'album_disk' || policy.version >= 8;

const search = async (call: Ruled): Promise<NativeResult> => {
  const type = typeOf(call, call.params.raw['type'], 'type');
  const words = wordsOf(call);
  if (words !== undefined) {
    const types = isKnownToVersion(call, type) ? [type] : [];
    const found = (await bestMatches(call.services, { words, types, limit: BEST_MATCHES }, call.viewer)).get(type) ?? NOTHING;
    return pageOf(call, type, call.params.random ? found.shuffled() : found);
  }
  const rules = searchRules(type, requestedRules(call.params.raw, isStrict(call)));
  const list = isKnownToVersion(call, type) ? await run(call, type, rules) : NOTHING;
  return pageOf(call, type, list);
};

const groups: Readonly<Record<string, readonly SearchType[]>> = {
  all: ['album_artist', 'album', 'artist', 'genre', 'label', 'playlist', 'podcast_episode', 'podcast', 'song_artist', 'song', 'user'],
  music: ['album', 'artist', 'song'],
  song_artist: ['album', 'song_artist', 'song'],
  album_artist: ['album_artist', 'album', 'song'],
  podcast: ['podcast', 'podcast_episode'],
  video: ['video'],
};

/** Types that a caller lists, separated by commas; else those of the group. */
const requestedTypes = (call: Ruled): readonly SearchType[] => {
  const { filter, type, types: listed } = call.params.raw;
  if (listed !== undefined && listed.trim() !== '') {
    const names = [...new Set(listed.split(',').map((name) => name.trim().toLowerCase()))];
    if (!names.every(isSearchType)) throw badValue('types', listed, oneOf(searchTypes));
    return names.filter((name) => isKnownToVersion(call, name));
  }
  const [parameter, text] = filter !== undefined && filter !== '' ? ['filter', filter] : ['type', type ?? ''];
  const name = text.trim().toLowerCase() || 'all';
  const types = Object.hasOwn(groups, name) ? groups[name] : undefined;
  if (!types) throw badValue(parameter, text, oneOf(Object.keys(groups)));
  return types;
};

const groupOf = (call: Ruled): readonly SearchType[] => {
  const types = requestedTypes(call);
  const served = types.filter((one) => disabledFeature(one, call.services.config) === undefined);
  if (served.length === 0) for (const one of types) requireKind(call, one);
  // All artists have one element name in XML, so lists by credit would repeat them.
  const isNarrower = (one: SearchType): boolean => one === 'album_artist' || one === 'song_artist';
  return call.format === 'xml' && served.includes('artist') ? served.filter((one) => !isNarrower(one)) : served;
};

interface Found {
  readonly type: SearchType;
  readonly total: number;
  readonly items: Items;
}

const shapedPage = (call: Ruled, type: SearchType, list: IdList): Found =>
  nativeTypes[type].shaped(call, call.format === 'xml', (shape) => {
    const flow = readPage(call, list, shape.read);
    return { type, total: idsOfPage(list, call.params).length, items: itemsFrom(shape.table, flow.batches, flow) };
  });

/** Lists of each type by the rules that it knows. */
const byRules = async (call: Ruled, types: readonly SearchType[]): Promise<(readonly [SearchType, IdList])[]> => {
  const requested = requestedRules(call.params.raw, isStrict(call));
  const asked = types.map((type) => ({ type, rules: knownRules(type, requested) })).filter(({ rules }) => rules.length > 0);
  if (asked.length === 0) throw noRuleLeft(requested);
  return Promise.all(asked.map(async ({ type, rules }) => [type, await run(call, type, rules)] as const));
};

const searchGroup = async (call: Ruled): Promise<NativeResult> => {
  const types = groupOf(call);
  const words = wordsOf(call);
  const { offset: from, limit: most = BEST_MATCHES } = call.params;
  const lists =
    words === undefined
      ? await byRules(call, types)
      : [...(await bestMatches(call.services, { words, types, limit: from + most }, call.viewer))];
  const found = lists.map(([type, list]) => shapedPage(call, type, list)).filter(({ total }) => total > 0);
  const isLong = found.reduce((sum, { total }) => sum + total, 0) > HELD_AT_MOST;
  return {
    kind: 'fields',
    build: (rendering) => {
      if (found.length === 0 && rendering.format === 'xml') return objectNode([]);
      const fields = found.map(({ type, items }) => fieldNode(type, renderedList(items.render(rendering), isLong)));
      return objectNode([fieldNode('search', objectNode(fields))]);
    },
  };
};

/** Enabled features that rules depend on. */
const featuresOf = ({ services }: CallerCall<unknown, Services>): Features => ({
  ratings: services.config.RATINGS,
  licensing: true,
  metadata: true,
  waveform: false,
  video: services.config.ALLOW_VIDEO,
});

const isNumbered = (options: readonly Option[]): boolean => options.every(({ value }, index) => value === String(index));

/** Choices numbered from 0 are an array in version 6 and an object in version 8. */
const choicesJson = (options: readonly Option[], version: number): Node =>
  version < 8 && isNumbered(options)
    ? listNode(options.map(({ label }) => label))
    : objectNode(options.map(({ value, label }) => fieldNode(value, label)));

const choiceXml = ({ value, label }: Option): Node =>
  objectNode([fieldNode('id', value, AS_ATTRIBUTE), fieldNode('label', label, { json: 'none', xml: 'cdata-text' })]);

/** A pair in JSON; in XML the choices only, and nothing for an input. */
const widgetNode = ([kind, value]: ListedRule['widget'], { format, profile }: Pick<Rendering, 'format' | 'profile'>): Node => {
  if (format === 'json') return listNode([kind, typeof value === 'string' ? value : choicesJson(value, profile.version)]);
  return typeof value === 'string' ? null : objectNode([fieldNode('select', listNode(value.map(choiceXml)))]);
};

const ruleNode = ({ name, label, type, widget, title }: ListedRule, rendering: Rendering): Node => {
  const fields: FieldNode[] = [
    fieldNode('name', name, AS_CDATA),
    fieldNode('label', label, AS_CDATA),
    fieldNode('type', type, AS_CDATA),
    fieldNode('widget', widgetNode(widget, rendering)),
    fieldNode('title', title, AS_CDATA),
  ];
  return objectNode(rendering.format === 'xml' ? [fieldNode('id', name, AS_ATTRIBUTE), ...fields] : fields);
};

const searchRulesOf = async (call: CallerCall<Named, Services>): Promise<NativeResult> => {
  if (call.params.filter.trim() === '') throw missing('filter');
  const type = typeOf(call, call.params.filter, 'filter');
  const rules = isKnownToVersion(call, type) ? await listRules(call.services.db, call.viewer, type, featuresOf(call)) : [];
  return {
    kind: 'fields',
    build: (rendering) => objectNode([fieldNode('rule', listNode(rules.map((rule) => ruleNode(rule, rendering))))]),
  };
};

/** `search_songs`: one rule on title and other names of a song. */
const searchSongs = async (
  call: CallerCall<{ filter: string; offset: number; limit: number | undefined }, Services>,
): Promise<NativeResult> => {
  const { filter } = call.params;
  // An empty search must not match everything.
  if (filter.trim() === '') throw missing('filter');
  const rule: SearchRule = { name: 'anywhere', operator: 'contain', input: filter, subtype: null, parameter: 'filter' };
  const list = await call.services.searches.ids({ type: 'song', rules: [rule], logic: 'and' }, call.viewer);
  return pageResult(call, list, { table: songObject, read: songReader(call) });
};

const advancedSearch = method({ versions: every, access: 5, params: ruleParams, run: search });

/** Methods that search by rules. */
export const searchMethods = {
  advanced_search: advancedSearch,
  search: advancedSearch,
  search_group: method({ versions: [6, 8], access: 5, params: ruleParams, run: searchGroup }),
  search_rules: method({ versions: [6, 8], access: 5, params: z.object(named), run: searchRulesOf }),
  search_songs: method({
    versions: every,
    access: 5,
    aliases: { filter: ['filter', 'rule_1_input'] },
    params: z.object({ ...named, offset, limit }),
    run: searchSongs,
  }),
};
