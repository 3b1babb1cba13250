import { z } from 'zod';
import {
  editSmartlist,
  endSmartlist,
  makeSmartlist,
  requireRunnable,
  smartlistIdOf,
  smartlistWith,
  type SmartlistRecord,
} from '../../../../features/smartlists/index.js';
import { logicOf, requestedRules, searchRules, type SearchRule } from '../../../../search/index.js';
import { badValue } from '../../errors/native-fault.js';
import { methodsUsing, type CallerCall } from '../../method.js';
import { orNotFound, type Named } from '../../named-object.js';
import { smartlistRulesObject } from '../../objects/smartlist-rules.object.js';
import { songObject } from '../../objects/song.object.js';
import { by, listQuery, pageResult } from '../../paging.js';
import { flag, include, limit, matching, named, offset, optional, paging, positions, required } from '../../params.js';
import { fieldsResult, success, type NativeResult } from '../../result.js';
import { isGiven, nameOf, nothingChanges, typeOf } from './list-terms.js';
import type { ApiVersion } from '../../versions/policy.js';
import type { Condition } from '../../../../reads/lists/list-query.js';
import { IdList } from '../../../../reads/lists/id-list.js';
import { singleListResult } from './playlist.methods.js';
import { hiddenNames, listsPage, openSmartlist } from '../lists/reading-playlists.js';
import { songReader } from '../lists/reading.js';
import type { HasReadModel } from '../../../../reads/database/database.js';
import type { HasLists } from '../../../../kinds/index.js';
import type { HasSmartlists } from '../../../../features/smartlists/running-smartlists.js';
import type { HasPreferences } from '../../../../preferences/preferences.js';
import type { HasClock, HasCommands, HasConfig } from '../../../../server/needs.js';

type Services = HasReadModel & HasLists & HasPreferences & HasSmartlists & HasCommands & HasConfig & HasClock;
const { method } = methodsUsing<Services>();

const versions: readonly ApiVersion[] = [6, 8];
/** Versions that make and change smartlists: an addition of this server. */
const newest: readonly ApiVersion[] = [8];
const terms = { name: optional, type: optional, operator: optional, random: optional, limit: optional };
/** Terms, and the rules as numbered parameters. */
const newTerms = z.object({ ...terms, name: required }).catchall(z.string());
const changedTerms = z.object({ ...terms, ...named }).catchall(z.string());
type Terms = CallerCall<z.output<typeof newTerms> | z.output<typeof changedTerms>, Services>;
const listed = z.object({ ...matching, include, ...paging });
type Page = CallerCall<z.output<typeof listed>, Services>;

/** A page of smartlists; they have negative ids among playlists. */
const smartlists = async (call: Page, own: readonly Condition[]): Promise<NativeResult> => {
  const query = listQuery('smartlist', call.params, [...(await hiddenNames(call)), ...own], by('name'));
  const list = await call.services.lists.ids(query, call.viewer);
  const ids = list.ids.map((id) => -id);
  return listsPage(call, new IdList(ids, list.md5), { expanded: call.params.include('songs') });
};

/** Smartlist of a call, for which the caller has a right. @throws NativeRefusal 4704, Rejection `access.level` */
const listFor = async (call: CallerCall<Named, Services>, right: 'open' | 'own'): Promise<SmartlistRecord> =>
  orNotFound(await smartlistWith(call, smartlistIdOf(call.params.filter), right), call.params.filter);

const MAX_LIMIT = 1_000_000;

/** Most songs of a list; 0 for all. @throws NativeRefusal 4710 */
const limitOf = (text: string): number => {
  const wanted = Number(text.trim());
  if (!/^\d+$/.test(text.trim()) || wanted > MAX_LIMIT) throw badValue('limit', text, `must be a number from 0 to ${MAX_LIMIT}`);
  return wanted;
};

/** Rules of a call. @throws Rejection `input.invalid` for rules that cannot be run */
const rulesOf = ({ params, services }: Terms): SearchRule[] => {
  const rules = searchRules('song', requestedRules(params, true));
  requireRunnable(rules, logicOf(params.operator), services.now());
  return rules;
};

const create = async (call: CallerCall<z.output<typeof newTerms>, Services>): Promise<NativeResult> => {
  const { params } = call;
  const id = await makeSmartlist(call, {
    name: nameOf(params.name),
    isPublic: typeOf(params.type) ?? false,
    rules: rulesOf(call),
    logic: logicOf(params.operator),
    isRandom: flag.parse(params.random),
    limit: limitOf(isGiven(params.limit) ? params.limit : '0'),
  });
  return singleListResult({ ...call, params: { filter: String(id) } }, openSmartlist);
};

const edit = async (call: CallerCall<z.output<typeof changedTerms>, Services>): Promise<NativeResult> => {
  const { params } = call;
  const list = await listFor(call, 'own');
  const isChanged = await editSmartlist(call, list.id, {
    name: isGiven(params.name) ? nameOf(params.name) : undefined,
    isPublic: typeOf(params.type),
    rules: Object.keys(params).some((name) => name.startsWith('rule_')) ? rulesOf(call) : undefined,
    logic: isGiven(params.operator) ? logicOf(params.operator) : undefined,
    isRandom: isGiven(params.random) ? flag.parse(params.random) : undefined,
    limit: isGiven(params.limit) ? limitOf(params.limit) : undefined,
  });
  if (!isChanged) throw nothingChanges();
  return success('playlist changes saved');
};

/** Methods about smartlists. */
export const smartlistMethods = {
  smartlists: method({ versions, access: 5, params: listed, run: (call) => smartlists(call, []) }),
  user_smartlists: method({
    versions,
    access: 5,
    params: listed,
    run: (call) => smartlists(call, [{ name: 'playlist_type', value: '0' }]),
  }),
  smartlist: method({ versions, access: 5, params: z.object(named), run: (call) => singleListResult(call, openSmartlist) }),
  smartlist_create: method({ versions: newest, access: 5, params: newTerms, run: create }),
  smartlist_edit: method({ versions: newest, access: 5, params: changedTerms, run: edit }),
  smartlist_rules: method({
    versions: newest,
    access: 5,
    params: z.object(named),
    run: async (call) => fieldsResult(smartlistRulesObject, await listFor(call, 'open')),
  }),
  smartlist_songs: method({
    versions,
    access: 5,
    params: z.object({ ...named, random: flag, offset, limit, positions }),
    run: async (call) => {
      const { params } = call;
      const songs = await (await openSmartlist(call)).songs({ random: params.random, isContinued: params.offset > 0 });
      return pageResult(call, songs, { table: songObject, read: songReader(call) });
    },
  }),
  smartlist_delete: method({
    versions,
    access: 5,
    params: z.object(named),
    run: async (call) => {
      await endSmartlist(call, (await listFor(call, 'own')).id);
      return success('playlist deleted');
    },
  }),
};
