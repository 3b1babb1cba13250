import { sql, type SqlBool } from 'kysely';
import { daysCondition, recentOperand, sparse } from '../operands.js';
import { perThing, type Subject } from '../subject.js';
import type { Condition, Value } from '../text-tests.js';
import { bool, days, num, other, type Making, type RuleDraft } from './rows.js';

const VOLATILE = { volatile: true } as const;
const EVERYBODY = sql`playback.song_plays`;
const mine = ({ call }: Making): Value => sql`(select * from playback.user_song_plays where user_id = ${call.viewer.userId})`;

const PLAYS = sql`sum(p.play_count)`;
const SKIPS = sql`sum(p.skip_count)`;
const BOTH = sql`sum(p.play_count + p.skip_count)`;

const counted = (name: string, label: string, rows: (making: Making) => Value, value: Value): RuleDraft =>
  num(
    name,
    label,
    (comparison, making) => sparse(sql`t.id`, perThing(making.subject.kind, rows(making), value, making.call.viewer), comparison),
    VOLATILE,
  );

const everybody = (): Value => EVERYBODY;

/** Things that were played at all. */
const playedOf = (kind: Subject['kind'], rows: Value, key: Value, { call }: Making): Condition =>
  sql<SqlBool>`${key} in (select x.k from (${perThing(kind, rows, PLAYS, call.viewer)}) x where x.v > 0)`;

const sinceLast = (name: string, label: string, last: Value): RuleDraft =>
  days(name, label, (making) => {
    const rows = perThing(making.subject.kind, mine(making), sql`max(${last})`, making.call.viewer);
    return sql<SqlBool>`t.id in (select x.k from (${rows}) x where ${daysCondition(making.call, sql`x.v`)})`;
  });

/** Plays and skips of everybody. */
export const playCounts: readonly RuleDraft[] = [
  counted('played_times', '# Played', everybody, PLAYS),
  counted('skipped_times', '# Skipped', everybody, SKIPS),
  counted('played_or_skipped_times', '# Played or Skipped', everybody, BOTH),
];

/** Plays for each hundred skips of a song. */
export const playSkipRatio = num(
  'play_skip_ratio',
  'Played/Skipped ratio',
  (comparison, { subject, call }) => {
    // What was never skipped has no ratio.
    const rows = perThing(subject.kind, EVERYBODY, sql`sum(p.play_count) * 100.0 / nullif(sum(p.skip_count), 0)`, call.viewer);
    return sql<SqlBool>`t.id in (select x.k from (${rows}) x where x.v is not null and ${comparison.test(sql`x.v`)})`;
  },
  VOLATILE,
);

/** When the viewer last did something with it. */
export const myLast: readonly RuleDraft[] = [
  sinceLast('last_play', 'My Last Play', sql`p.last_played_at_ms`),
  sinceLast('last_skip', 'My Last Skip', sql`p.last_skipped_at_ms`),
  sinceLast('last_play_or_skip', 'My Last Play or Skip', sql`greatest(p.last_played_at_ms, p.last_skipped_at_ms)`),
];

/** Whether anybody played it. */
export const played = bool('played', 'Played', (making) => playedOf(making.subject.kind, EVERYBODY, sql`t.id`, making), VOLATILE);

/** Whether the viewer played it. */
export const myPlayed = bool(
  'myplayed',
  'Played by Me',
  (making) => playedOf(making.subject.kind, mine(making), sql`t.id`, making),
  VOLATILE,
);

/** Whether the viewer played the album or an artist of the searched thing. */
export const myPlayedOf = (kind: 'album' | 'artist'): RuleDraft =>
  bool(
    `myplayed${kind}`,
    kind === 'album' ? 'Played by Me (Album)' : 'Played by Me (Artist)',
    (making) => making.subject.on[kind]((alias) => playedOf(kind, mine(making), sql`${sql.ref(`${alias}.id`)}`, making)),
    VOLATILE,
  );

/** The viewer's own counts, and whether it is among the last plays of anybody. */
export const myCounts: readonly RuleDraft[] = [
  counted('myplayed_times', '# Played by Me', mine, PLAYS),
  counted('myskipped_times', '# Skipped by Me', mine, SKIPS),
  counted('myplayed_or_skipped_times', '# Played or Skipped by Me', mine, BOTH),
  other('recent_played', 'Recently Played', { ...VOLATILE, family: 'recent_played', widget: { input: 'number' } }, ({ subject, call }) => {
    const last = sql`(select distinct song_id from (select song_id from playback.play where not skipped order by id desc limit ${recentOperand(call.rule)}) l)`;
    return sql<SqlBool>`t.id in (select x.k from (${perThing(subject.kind, last, sql`count(*)`, call.viewer)}) x)`;
  }),
];
