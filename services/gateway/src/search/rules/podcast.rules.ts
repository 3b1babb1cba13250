import type { AnnotatedKind } from '@continuo/contracts';
import { sql, type SqlBool } from 'kysely';
import type { Viewer } from '../../reads/visibility/viewer.js';
import { dateCondition, daysCondition, idOperand, recentOperand, sparse, wholeTextTest, type Comparison } from '../operands.js';
import type { UserCode } from '../operators.js';
import { never } from '../rule.js';
import { col, songSubject, type On } from '../subject.js';
import type { Condition, TextTest, Value } from '../text-tests.js';
import { averages, byUser, flagged, ratings, SCORES } from './annotation.rules.js';
import { rootFor } from './file.rules.js';
import { bool, date, days, group, num, oneOf, other, ownNumber, rulesOf, text, type RuleDraft, type RuleGroup } from './rows.js';

type Kind = AnnotatedKind & ('podcast' | 'podcast_episode');

/**
 * Searched row, `t`, and its relations: "some episode of it", "its podcast". A podcast and its episodes are in one catalog, so that the search's own visibility
 * covers both.
 */
interface Scope {
  readonly kind: Kind;
  readonly onPodcast: On;
  readonly onEpisode: On;
  /** The key of the searched thing that a row `p` of plays belongs to, and the join that leads there. */
  readonly played: { readonly key: Value; readonly join: Value };
}

const PODCAST: Scope = {
  kind: 'podcast',
  onPodcast: (condition) => condition('t'),
  onEpisode: (condition) => sql<SqlBool>`t.id in (select e.podcast_id from library.podcast_episode e where ${condition('e')})`,
  played: { key: sql`e.podcast_id`, join: sql`join library.podcast_episode e on e.id = p.object_id` },
};
const EPISODE: Scope = {
  kind: 'podcast_episode',
  onPodcast: (condition) => sql<SqlBool>`t.podcast_id in (select p.id from library.podcast p where ${condition('p')})`,
  onEpisode: (condition) => condition('t'),
  played: { key: sql`p.object_id`, join: sql`` },
};

const VOLATILE = { volatile: true } as const;
const GATED = { ...VOLATILE, gate: 'ratings' } as const;
const STARS = { ...GATED, select: 'stars' } as const;

/** Rows of plays, of everybody or of one account. */
const rowsOf = (userId?: number): Value =>
  sql`(select * from playback.media_plays where object_type = 'podcast_episode' and play_count > 0 ${userId === undefined ? sql`` : sql`and user_id = ${userId}`})`;

/** Rows `k`, `v`: a value for each searched thing that was played. */
const heard = ({ played: { key, join } }: Scope, rows: Value, value: Value): Value =>
  sql`select ${key} as k, ${value} as v from ${rows} p ${join} group by 1`;

const PLAYS = sql`sum(p.play_count)`;
/** Nobody skips an episode: what is left is taken up again. */
const NO_SKIPS = sql`select null::bigint as k, 0 as v where false`;

/** Popularity, as for songs: plays, favourites and stars of all users. */
const popularity = (scope: Scope): Value =>
  sql`select u.k, sum(u.v) as v from (
    ${heard(scope, rowsOf(), sql`${PLAYS} * ${SCORES.play}::int`)}
    union all select r.object_id, r.rating_sum * ${SCORES.star}::int from social.rating_average r where r.kind = ${scope.kind}
    union all select f.object_id, ${SCORES.favourite}::int from social.user_flag f where f.kind = ${scope.kind}
  ) u group by u.k`;

const titleTest =
  (test: TextTest) =>
  (alias: string): Condition =>
    test(col(alias, 'title'), col(alias, 'title_sort'));

const opinions = (scope: Scope): readonly RuleDraft[] => {
  const { kind, onPodcast, onEpisode } = scope;
  const related = [
    { of: PODCAST, on: onPodcast, name: 'Podcast' },
    { of: EPISODE, on: onEpisode, name: 'Podcast Episode' },
  ];
  return [
    num('myrating', 'My Rating', (comparison, { call }) => sparse(sql`t.id`, ratings(kind, call.viewer.userId), comparison), STARS),
    num('rating', 'Rating (Average)', (comparison) => sparse(sql`t.id`, averages(kind), comparison), STARS),
    ...related.map(({ of, on, name }) =>
      num(
        `${of.kind}rating`,
        `My Rating (${name})`,
        (comparison, { call }) => on((alias) => sparse(col(alias, 'id'), ratings(of.kind, call.viewer.userId), comparison)),
        STARS,
      ),
    ),
    ...related.map(({ of, on, name }) =>
      bool(
        `my_flagged_${of.kind}`,
        `My Favorite ${name}s`,
        ({ call }) => on((alias) => flagged(col(alias, 'id'), of.kind, call.viewer.userId)),
        GATED,
      ),
    ),
    ...related.map(({ of, on, name }) =>
      num(
        `weight_${of.kind}`,
        `${name} popularity score`,
        (comparison) => on((alias) => sparse(col(alias, 'id'), popularity(of), comparison)),
        GATED,
      ),
    ),
    // Unlike other texts, a negative operator still asks for a favourite: one whose name does not match.
    other('favorite', 'Favorites', { ...GATED, family: 'text', widget: { input: 'text' } }, ({ call: { rule, viewer } }) => {
      const matches = titleTest(wholeTextTest(rule))('t');
      return sql<SqlBool>`${flagged(sql`t.id`, kind, viewer.userId)} and ${matches}`;
    }),
    other('other_user', 'Another User', { ...GATED, family: 'user_numeric', widget: { select: 'users' } }, ({ call: { rule } }) =>
      byUser[rule.operator as UserCode](sql`t.id`, kind, idOperand(rule)),
    ),
  ];
};

const plays = (scope: Scope): readonly RuleDraft[] => {
  const counted = (name: string, label: string, isMine: boolean): RuleDraft =>
    num(
      name,
      label,
      (comparison, { call }) => sparse(sql`t.id`, heard(scope, rowsOf(isMine ? call.viewer.userId : undefined), PLAYS), comparison),
      VOLATILE,
    );
  const skipped = (name: string, label: string): RuleDraft =>
    num(name, label, (comparison) => sparse(sql`t.id`, NO_SKIPS, comparison), VOLATILE);
  const sinceLast = (name: string, label: string): RuleDraft =>
    days(name, label, ({ call }) => {
      const rows = heard(scope, rowsOf(call.viewer.userId), sql`max(p.last_played_at_ms)`);
      return sql<SqlBool>`t.id in (select x.k from (${rows}) x where ${daysCondition(call, sql`x.v`)})`;
    });
  const wasHeard = (rows: Value): Condition => sql<SqlBool>`t.id in (select x.k from (${heard(scope, rows, PLAYS)}) x)`;
  return [
    counted('played_times', '# Played', false),
    skipped('skipped_times', '# Skipped'),
    counted('played_or_skipped_times', '# Played or Skipped', false),
    sinceLast('last_play', 'My Last Play'),
    days('last_skip', 'My Last Skip', () => never),
    sinceLast('last_play_or_skip', 'My Last Play or Skip'),
    bool('played', 'Played', () => wasHeard(rowsOf()), VOLATILE),
    bool('myplayed', 'Played by Me', ({ call }) => wasHeard(rowsOf(call.viewer.userId)), VOLATILE),
    counted('myplayed_times', '# Played by Me', true),
    skipped('myskipped_times', '# Skipped by Me'),
    counted('myplayed_or_skipped_times', '# Played or Skipped by Me', true),
    // Single plays of episodes are not kept: the last of each listener counts.
    other('recent_played', 'Recently Played', { ...VOLATILE, family: 'recent_played', widget: { input: 'number' } }, ({ call: { rule } }) =>
      wasHeard(
        sql`(select * from ${rowsOf()} r order by r.last_played_at_ms desc, r.object_id desc, r.user_id limit ${recentOperand(rule)})`,
      ),
    ),
  ];
};

/** The path of an episode's file; null where none is kept. */
const fileOf = (alias: string, viewer: Viewer): Value =>
  sql`(${rootFor(viewer, sql`(select c.path from library.catalog c where c.id = ${col(alias, 'catalog_id')})`)} || ${col(alias, 'path')})`;

const files = ({ onEpisode }: Scope): readonly RuleDraft[] => [
  text('file', 'Filename', (test, { call }) => onEpisode((alias) => test(fileOf(alias, call.viewer)))),
  date('pubdate', 'Publication Date', ({ call }) => onEpisode((alias) => dateCondition(call, col(alias, 'published_at_ms')))),
  date('added', 'Date Added', ({ call }) => dateCondition(call, sql`t.added_at_ms`)),
  date('updated', 'Date Updated', ({ call }) => dateCondition(call, sql`t.updated_at_ms`)),
  days('days_added', 'Added', ({ call }) => daysCondition(call, sql`t.added_at_ms`)),
  days('days_updated', 'Updated', ({ call }) => daysCondition(call, sql`t.updated_at_ms`)),
];

/** 0 skipped, 1 on its way, 2 here. */
const stateOf = (alias: string): Value =>
  sql`(case ${col(alias, 'state')} when 'completed' then 2 when 'pending' then 1 when 'downloading' then 1 else 0 end)`;
const SECONDS_PER_MINUTE = 60;
const minutes = (comparison: Comparison, alias: string): Condition =>
  comparison.test(sql`round(coalesce(${col(alias, 'duration_ms')}, 0) / 1000.0)`);

const episodeFacts = ({ onEpisode }: Scope): readonly RuleDraft[] => [
  oneOf('state', 'Status', ({ call: { rule } }) => onEpisode((alias) => sql<SqlBool>`${stateOf(alias)} = ${idOperand(rule)}`), {
    aliases: ['status'],
    select: 'states',
  }),
  num('time', 'Length (in minutes)', (comparison) => onEpisode((alias) => minutes(comparison, alias)), { factor: SECONDS_PER_MINUTE }),
];

const shared = (scope: Scope): readonly RuleGroup[] => [
  group('Ratings', opinions(scope)),
  group('Play History', plays(scope)),
  group('File Data', files(scope)),
];

const title = text('title', 'Name', (test) => titleTest(test)('t'), { aliases: ['name'] });
const id = num('id', 'Database ID', ownNumber('id'));
// These rules speak of podcasts and episodes by themselves, so that any subject does.
const rules = (...groups: readonly RuleGroup[]) => rulesOf(() => songSubject, groups);

/** Podcasts by 34 rules. */
export const podcastRules = rules(
  group('Podcast', title, num('episode_count', 'Episode Count', ownNumber('episode_count')), id),
  group(
    'Podcast Episodes',
    text('podcast_episode', 'Podcast Episode', (test) => PODCAST.onEpisode(titleTest(test)), { aliases: ['podcast_episode_title'] }),
    episodeFacts(PODCAST),
  ),
  ...shared(PODCAST),
);

/** Episodes of podcasts by 33 rules. */
export const podcastEpisodeRules = rules(
  group(
    'Podcast Episode',
    title,
    text('podcast', 'Podcast', (test) => EPISODE.onPodcast(titleTest(test)), { aliases: ['podcast_title'] }),
    episodeFacts(EPISODE),
    id,
  ),
  ...shared(EPISODE),
);
