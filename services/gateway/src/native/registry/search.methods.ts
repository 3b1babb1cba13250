import { z } from 'zod';
import { IdList } from '../../reads/id-list.js';
import { AS_ATTRIBUTE, AS_CDATA, fieldNode, listNode, objectNode, renderedList, type FieldNode, type Node } from '../../render/index.js';
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
} from '../../search/index.js';
import { badValue, featureOff, missing } from '../errors/native-fault.js';
import { method, type CallerCall } from '../method.js';
import { songObject } from '../objects/song.object.js';
import { pageResult, readPage } from '../paging.js';
import { flag, limit, offset, required } from '../params.js';
import { itemsFrom, type Items, type NativeResult, type Rendering } from '../result.js';
import { readSongs } from './reading.js';
import { withFoundShape } from './searched-objects.js';

const every = [3, 4, 5, 6, 8] as const;

const page = z.object({ offset, limit, random: flag });

/** The common parameters, and all texts of the request: rules are found among them by their numbers. */
const ruled = z.record(z.string(), z.string()).transform((raw) => ({ ...page.parse(raw), raw }));
type Ruled = CallerCall<z.output<typeof ruled>>;

/** The older dialects demand no rule by its parts (methods.json). */
const isStrict = ({ policy }: Ruled): boolean => policy.version >= 5;

type Asked = Pick<CallerCall<unknown>, 'services'>;

/** The feature that a type lacks because it is switched off. */
const lacks = ({ services: { config } }: Asked, type: SearchType): string | undefined => {
  if (type === 'video') return config.ALLOW_VIDEO ? undefined : 'video';
  return (type === 'podcast' || type === 'podcast_episode') && !config.PODCAST ? 'podcast' : undefined;
};

/** @throws NativeRefusal 4703 for a type whose feature is not there */
const requireServed = (call: Asked, type: SearchType): void => {
  const feature = lacks(call, type);
  if (feature !== undefined) throw featureOff(feature);
};

const typeOf = (call: Asked, text: string | undefined, parameter: string): SearchType => {
  const name = text?.trim().toLowerCase() || 'song';
  if (!isSearchType(name)) throw badValue(parameter, (text ?? '').slice(0, 100));
  requireServed(call, name);
  return name;
};

const run = ({ params, services, viewer }: Ruled, type: SearchType, rules: readonly SearchRule[]): Promise<IdList> =>
  services.searches.ids({ type, rules, logic: logicOf(params.raw['operator']), random: params.random }, viewer);

const NOTHING = new IdList(new Int32Array(0));

/** Disks are things of version 8; older ones find none (methods.json). */
const isKnownToVersion = ({ policy }: Pick<Ruled, 'policy'>, type: SearchType): boolean => type !== 'album_disk' || policy.version >= 8;

const search = async (call: Ruled): Promise<NativeResult> => {
  const type = typeOf(call, call.params.raw['type'], 'type');
  const rules = searchRules(type, requestedRules(call.params.raw, isStrict(call)));
  const list = isKnownToVersion(call, type) ? await run(call, type, rules) : NOTHING;
  return withFoundShape(type, call, false, (shape) => pageResult(call, list, shape));
};

const groups: Readonly<Record<string, readonly SearchType[]>> = {
  all: ['album_artist', 'album', 'artist', 'genre', 'label', 'playlist', 'podcast_episode', 'podcast', 'song_artist', 'song', 'user'],
  music: ['album', 'artist', 'song'],
  song_artist: ['album', 'song_artist', 'song'],
  album_artist: ['album_artist', 'album', 'song'],
  podcast: ['podcast', 'podcast_episode'],
  video: ['video'],
};

const groupOf = (call: Ruled): readonly SearchType[] => {
  const { filter, type } = call.params.raw;
  const [parameter, text] = filter !== undefined && filter !== '' ? ['filter', filter] : ['type', type ?? ''];
  const name = text.trim().toLowerCase() || 'all';
  const types = Object.hasOwn(groups, name) ? groups[name] : undefined;
  if (!types) throw badValue(parameter, text.slice(0, 100));
  const served = types.filter((one) => lacks(call, one) === undefined);
  if (served.length === 0) for (const one of types) requireServed(call, one);
  // In XML all artists have one element name, so that those with a particular credit would only come twice.
  const isNarrower = (one: SearchType): boolean => one === 'album_artist' || one === 'song_artist';
  return call.format === 'xml' && served.includes('artist') ? served.filter((one) => !isNarrower(one)) : served;
};

interface Found {
  readonly type: SearchType;
  readonly total: number;
  readonly items: Items;
}

const findIn = async (call: Ruled, type: SearchType, rules: readonly SearchRule[]): Promise<Found> => {
  const list = await run(call, type, rules);
  return withFoundShape(type, call, call.format === 'xml', (shape) => {
    const flow = readPage(call, list, shape.read);
    return { type, total: list.page(call.params.offset, call.params.limit).length, items: itemsFrom(shape.table, flow.batches, flow) };
  });
};

/** Answers with more objects than this are sent while they are read. */
const AT_ONCE = 5000;

const searchGroup = async (call: Ruled): Promise<NativeResult> => {
  const types = groupOf(call);
  const requested = requestedRules(call.params.raw, isStrict(call));
  const asked = types.map((type) => ({ type, rules: knownRules(type, requested) })).filter(({ rules }) => rules.length > 0);
  if (asked.length === 0) throw noRuleLeft(requested);
  const found = (await Promise.all(asked.map(({ type, rules }) => findIn(call, type, rules)))).filter(({ total }) => total > 0);
  return {
    kind: 'fields',
    isLong: found.reduce((sum, { total }) => sum + total, 0) > AT_ONCE,
    build: (rendering) => {
      if (found.length === 0 && rendering.format === 'xml') return objectNode([]);
      const fields = found.map(({ type, items }) => fieldNode(type, renderedList(items.render(rendering))));
      return objectNode([fieldNode('search', objectNode(fields))]);
    },
  };
};

/** What this server has of the features that rules belong to. */
const featuresOf = ({ services }: CallerCall<unknown>): Features => ({
  ratings: services.config.RATINGS,
  licensing: true,
  metadata: true,
  waveform: false,
  video: services.config.ALLOW_VIDEO,
});

const isNumbered = (options: readonly Option[]): boolean => options.every(({ value }, index) => value === String(index));

/** Choices that are counted from 0 were a list in version 6; the schema of version 8 has an object of whatever choices there are. */
const choicesJson = (options: readonly Option[], version: number): Node =>
  version < 8 && isNumbered(options)
    ? listNode(options.map(({ label }) => label))
    : objectNode(options.map(({ value, label }) => fieldNode(value, label)));

const choiceXml = ({ value, label }: Option): Node =>
  objectNode([fieldNode('id', value, AS_ATTRIBUTE), fieldNode('label', label, { json: 'none', xml: 'cdata-text' })]);

/** A pair in JSON; in XML the choices alone, and nothing for an input (native README section 9). */
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

const searchRulesOf = async (call: CallerCall<{ filter: string }>): Promise<NativeResult> => {
  if (call.params.filter.trim() === '') throw missing('filter');
  const type = typeOf(call, call.params.filter, 'filter');
  const rules = isKnownToVersion(call, type) ? await listRules(call.services.db, call.viewer, type, featuresOf(call)) : [];
  return {
    kind: 'fields',
    build: (rendering) => objectNode([fieldNode('rule', listNode(rules.map((rule) => ruleNode(rule, rendering))))]),
  };
};

/** `search_songs`: one rule, title or anything else that a song is known by. */
const searchSongs = async (call: CallerCall<{ filter: string; offset: number; limit: number | undefined }>): Promise<NativeResult> => {
  const { filter } = call.params;
  // A search for nothing must not answer everything (choices.md row 22).
  if (filter.trim() === '') throw missing('filter');
  const rule: SearchRule = { name: 'anywhere', operator: 'contain', input: filter, subtype: null, parameter: 'filter' };
  const list = await call.services.searches.ids({ type: 'song', rules: [rule], logic: 'and' }, call.viewer);
  return pageResult(call, list, { table: songObject, read: (ids, start) => readSongs(call, ids, start) });
};

const advancedSearch = method({ versions: every, access: 5, params: ruled, run: search });

/** Methods that find things by rules. */
export const searchMethods = {
  advanced_search: advancedSearch,
  search: advancedSearch,
  search_group: method({ versions: [6, 8], access: 5, params: ruled, run: searchGroup }),
  search_rules: method({ versions: [6, 8], access: 5, params: z.object({ filter: required }), run: searchRulesOf }),
  search_songs: method({
    versions: every,
    access: 5,
    aliases: { filter: ['filter', 'rule_1_input'] },
    params: z.object({ filter: required, offset, limit }),
    run: searchSongs,
  }),
};
