import type { AnnotatedKind } from '@continuo/contracts';
import { sql, type SqlBool } from 'kysely';
import type { Viewer } from '../../reads/visibility/viewer.js';
import { idOperand, sparse, wholeTextTest, type Comparison } from '../operands.js';
import type { UserCode } from '../operators.js';
import { col, perThing, type Related, type Subject } from '../subject.js';
import type { Condition, Value } from '../text-tests.js';
import { bool, nameTest, num, other, type Making, type RuleDraft } from './rows.js';

type Kind = AnnotatedKind;

const GATED = { gate: 'ratings', volatile: true } as const;
const STARS = { ...GATED, select: 'stars' } as const;

/** Rows `k`, `v`: what an account rated. */
export const ratings = (kind: Kind, userId: number): Value =>
  sql`select r.object_id as k, r.rating as v from social.rating r where r.user_id = ${userId} and r.kind = ${kind}`;

/** Rows `k`, `v`: the rounded means of everybody's ratings. */
export const averages = (kind: Kind): Value =>
  sql`select r.object_id as k, round(r.rating_sum::numeric / r.rating_count) as v from social.rating_average r where r.kind = ${kind} and r.rating_count > 0`;

/** Favourites of an account. */
export const flagged = (key: Value, kind: Kind, userId: number): Condition =>
  sql<SqlBool>`${key} in (select f.object_id from social.user_flag f where f.user_id = ${userId} and f.kind = ${kind})`;

/** Popularity scores of a play, a skip, a favourite and a star. */
export const SCORES = { play: 1, skip: -1, favourite: 5, star: 1 };

/** Popularity: plays less skips of its songs, favourites and stars of all users. */
const popularity = (kind: Related, viewer: Viewer): Value => {
  const heard = sql`sum(p.play_count * ${SCORES.play}::int + p.skip_count * ${SCORES.skip}::int)`;
  return sql`select u.k, sum(u.v) as v from (
    ${perThing(kind, sql`playback.song_plays`, heard, viewer)}
    union all select r.object_id, r.rating_sum * ${SCORES.star}::int from social.rating_average r where r.kind = ${kind}
    union all select f.object_id, ${SCORES.favourite}::int from social.user_flag f where f.kind = ${kind}
  ) u group by u.k`;
};

/** Conditions on an account's annotation, by operator. */
export const byUser: Readonly<Record<UserCode, (key: Value, kind: Kind, userId: number) => Condition>> = {
  love: flagged,
  '5star': (key, kind, userId) => withStars(key, kind, userId, 5),
  '4star': (key, kind, userId) => withStars(key, kind, userId, 4),
  '3star': (key, kind, userId) => withStars(key, kind, userId, 3),
  '2star': (key, kind, userId) => withStars(key, kind, userId, 2),
  '1star': (key, kind, userId) => withStars(key, kind, userId, 1),
  unrated: (key, kind, userId) => sql<SqlBool>`${key} not in (select x.k from (${ratings(kind, userId)}) x)`,
};

const withStars = (key: Value, kind: Kind, userId: number, stars: number): Condition =>
  sql<SqlBool>`${key} in (select x.k from (${ratings(kind, userId)}) x where x.v = ${stars})`;

const own = ({ subject }: Making): Subject['kind'] => subject.kind;

/** The viewer's own rating of the searched thing; unrated counts as 0. */
export const myRating = num(
  'myrating',
  'My Rating',
  (comparison, making) => sparse(sql`t.id`, ratings(own(making), making.call.viewer.userId), comparison),
  STARS,
);

/** The rounded mean of everybody's ratings; none counts as 0. */
export const averageRating = num(
  'rating',
  'Rating (Average)',
  (comparison, making) => sparse(sql`t.id`, averages(own(making)), comparison),
  STARS,
);

const LABELS: Readonly<Record<Related, string>> = { song: 'Song', album: 'Album', artist: 'Artist' };

/** The viewer's own rating of a song, an album or an artist of the searched thing. */
export const ratingOf = (kind: Related): RuleDraft =>
  num(
    `${kind}rating`,
    `My Rating (${LABELS[kind]})`,
    (comparison, { subject, call }) => subject.on[kind]((alias) => sparse(col(alias, 'id'), ratings(kind, call.viewer.userId), comparison)),
    STARS,
  );

/** Whether a song, an album or an artist of the searched thing is a favourite of the viewer. */
export const flagOf = (kind: Related, aliases: readonly string[]): RuleDraft =>
  bool(
    `my_flagged_${kind}`,
    `My Favorite ${LABELS[kind]}s`,
    ({ subject, call }) => subject.on[kind]((alias) => flagged(col(alias, 'id'), kind, call.viewer.userId)),
    { ...GATED, aliases },
  );

// Unlike other texts, a negative operator still asks for a favourite: one whose name does not match.
const favouriteRow = (name: string, label: string, make: (making: Making) => Condition): RuleDraft =>
  other(name, label, { ...GATED, family: 'text', widget: { input: 'text' } }, make);

/** Favourites of the viewer with a matching name; disks have that of their album. */
export const favourite = (named: Related): RuleDraft =>
  favouriteRow('favorite', 'Favorites', ({ subject, call }) => {
    const isFavourite = flagged(sql`t.id`, subject.kind, call.viewer.userId);
    return sql<SqlBool>`${isFavourite} and ${subject.on[named](nameTest(named, wholeTextTest(call.rule)))}`;
  });

/** The same on an album or an artist of the searched thing. */
export const favouriteOf = (kind: Related): RuleDraft =>
  favouriteRow(`favorite_${kind}`, `Favorites (${LABELS[kind]})`, ({ subject, call: { rule, viewer } }) => {
    const test = nameTest(kind, wholeTextTest(rule));
    return subject.on[kind]((alias) => sql<SqlBool>`${flagged(col(alias, 'id'), kind, viewer.userId)} and ${test(alias)}`);
  });

/** Popularity of a song, an album or an artist of the searched thing. */
export const weightOf = (kind: Related): RuleDraft =>
  num(
    `weight_${kind}`,
    `${LABELS[kind]} popularity score`,
    (comparison: Comparison, { subject, call }) =>
      subject.on[kind]((alias) => sparse(col(alias, 'id'), popularity(kind, call.viewer), comparison)),
    GATED,
  );

const otherUserRow = (name: string, label: string, make: (making: Making) => Condition): RuleDraft =>
  other(name, label, { ...GATED, family: 'user_numeric', widget: { select: 'users' } }, make);

/** Rule on another account's annotation: the operand is the account. */
export const otherUser = otherUserRow('other_user', 'Another User', ({ subject, call }) =>
  byUser[call.rule.operator as UserCode](sql`t.id`, subject.kind, idOperand(call.rule)),
);

/** The same on an album or an artist of the searched thing. */
export const otherUserOf = (kind: Related): RuleDraft =>
  otherUserRow(`other_user_${kind}`, `Another User (${LABELS[kind]})`, ({ subject, call }) =>
    subject.on[kind]((alias) => byUser[call.rule.operator as UserCode](col(alias, 'id'), kind, idOperand(call.rule))),
  );
