import { api, content } from '../../lib/api.js';
import { reload } from '../../lib/client.js';
import { t } from '../../messages/index.js';
import { ruleTexts } from '../../messages/rules.js';
import { ruleParams, type Rule, type RuleKind, type Search } from './rules.js';

const STAR_RULE = /rating$/;

/** A kind of rule with names in the language of the page. */
const translated = (kind: RuleKind): RuleKind => {
  const [widget = 'input', choices] = kind.widget;
  const isStars = STAR_RULE.test(kind.name) && typeof choices === 'object';
  const shown = isStars ? Object.fromEntries(Object.keys(choices).map((stars) => [stars, t.starCount(Number(stars))])) : choices;
  return { ...kind, label: ruleTexts.names[kind.name] ?? kind.label, widget: [widget, ...(shown === undefined ? [] : [shown])] };
};

/** Kinds of rules that the server knows for songs. */
export const ruleKindsQuery = {
  queryKey: ['rules'],
  queryFn: async (): Promise<readonly RuleKind[]> => {
    const { rule } = await content(api.GET('/search/{search_type}/rules', { params: { path: { search_type: 'song' } } }));
    return rule.map(translated);
  },
};

/** Rules, order and limit of a smartlist. */
export const searchQuery = (id: string) => ({
  queryKey: ['playlist', id, 'rules'],
  queryFn: async (): Promise<Search> => {
    const answer = await content(api.GET('/smartlists/{smartlist_id}/rules', { params: { path: { smartlist_id: id } } }));
    const rules = answer.rule.map((rule) => ({ ...rule, operator: String(rule.operator) }));
    return { operator: answer.operator === 'or' ? 'or' : 'and', isRandom: answer.random, limit: answer.limit, rules };
  },
});

/** Titles that are shown of what rules find. */
const EXAMPLES = 5;

const find = async (rules: readonly Rule[], operator: Search['operator'], limit: number) =>
  content(api.GET('/songs/search', { params: { query: { ...ruleParams(rules), operator, limit: String(limit) } } }));

/** How many songs rules find, and the first of them. */
export const foundQuery = ({ rules, operator }: Pick<Search, 'rules' | 'operator'>) => ({
  queryKey: ['songs', 'by rules', operator, rules],
  queryFn: async () => {
    const { song, total_count: total } = await find(rules, operator, EXAMPLES);
    return { total, titles: song.map(({ title }) => title) };
  },
});

/** For each of some rules, whether a song fulfils it. */
export const fulfilledQuery = (songId: string, rules: readonly Rule[]) => ({
  queryKey: ['song', songId, 'fulfils', rules],
  queryFn: () => {
    const isSong: Rule = { name: 'id', operator: '2', input: songId, subtype: null };
    return Promise.all(rules.map(async (rule) => (await find([isSong, rule], 'and', 1)).total_count > 0));
  },
});

/** A smartlist with its name and who may see it. */
export interface SmartlistTerms extends Search {
  readonly name: string;
  readonly isPublic: boolean;
}

/** Makes a smartlist, or changes one. @param id undefined for a new one @returns its id @throws ApiError */
export const saveSmartlist = async (
  id: string | undefined,
  { name, isPublic, operator, isRandom, limit, rules }: SmartlistTerms,
): Promise<string> => {
  const body = {
    name,
    type: isPublic ? 'public' : 'private',
    operator,
    random: isRandom ? '1' : '0',
    limit: String(limit),
    ...ruleParams(rules),
  };
  if (id !== undefined) await content(api.PATCH('/smartlists/{smartlist_id}', { params: { path: { smartlist_id: id } }, body }));
  const saved = id ?? (await content(api.PUT('/smartlists', { body }))).id;
  await reload(['playlists'], ['playlist', saved], ['songs', { kind: 'playlist', id: saved }]);
  return saved;
};
