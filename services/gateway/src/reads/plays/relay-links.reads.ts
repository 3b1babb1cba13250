import type { RelayService, RelayedPlayTable } from '@continuo/contracts';
import { sql } from 'kysely';
import type { ReadDatabase } from '../database/database.js';

/** A link of an account with a service that is told what it plays. */
export interface RelayLinkView {
  readonly accountId: number;
  readonly service: RelayService;
  readonly host: string;
  readonly enabled: boolean;
  readonly linkedAtMs: number;
  readonly attempts: number;
  readonly taken: number;
  readonly lastTakenAtMs: number | null;
  readonly nextTryAtMs: number | null;
  readonly fault: string | null;
}

const links = (db: ReadDatabase) =>
  db
    .selectFrom('playback.relay_link as l')
    .leftJoin('playback.relay_progress as p', (join) => join.onRef('p.user_id', '=', 'l.user_id').onRef('p.service', '=', 'l.service'))
    .select(['l.user_id as accountId', 'l.service', 'l.host', 'l.enabled', 'l.linked_at_ms as linkedAtMs'])
    .select(['p.last_taken_at_ms as lastTakenAtMs', 'p.next_at_ms as nextTryAtMs', 'p.fault'])
    .select([sql<number>`coalesce(p.attempts, 0)`.as('attempts'), sql<number>`coalesce(p.taken, 0)`.as('taken')]);

/** Where a page of links begins: after the link of an account with a service. */
export type RelayCursor = readonly [accountId: number, service: string];

/** Links by account and service. */
export const relayLinksAfter = (
  db: ReadDatabase,
  {
    accountId,
    after,
    limit,
  }: { readonly accountId?: number | undefined; readonly after?: RelayCursor | undefined; readonly limit: number },
): Promise<RelayLinkView[]> =>
  links(db)
    .$if(accountId !== undefined, (query) => query.where('l.user_id', '=', accountId ?? 0))
    .$if(after !== undefined, (query) => query.where(sql<boolean>`(l.user_id, l.service) > (${after?.[0] ?? 0}::int, ${after?.[1] ?? ''})`))
    .orderBy('l.user_id')
    .orderBy('l.service')
    .limit(limit)
    .execute();

/** The link of an account with a service. */
export const relayLink = (db: ReadDatabase, accountId: number, service: RelayService): Promise<RelayLinkView | undefined> =>
  links(db).where('l.user_id', '=', accountId).where('l.service', '=', service).executeTakeFirst();

/** A play that a service was told. */
export interface RelayedPlayView {
  readonly accountId: number;
  readonly service: RelayService;
  readonly position: number;
  readonly songId: number;
  readonly playedAtMs: number;
  readonly outcome: RelayedPlayTable['outcome'];
  readonly reason: string | null;
  readonly atMs: number;
}

/** Plays that services were told lately, the latest first. */
export const relayedPlaysBefore = (
  db: ReadDatabase,
  query: {
    readonly accountId?: number | undefined;
    readonly before?: readonly [atMs: number, position: number, service: string] | undefined;
    readonly limit: number;
  },
): Promise<RelayedPlayView[]> =>
  db
    .selectFrom('playback.relayed_play')
    .select(['user_id as accountId', 'service', 'position', 'song_id as songId', 'played_at_ms as playedAtMs', 'outcome', 'reason'])
    .select('at_ms as atMs')
    .$if(query.accountId !== undefined, (plays) => plays.where('user_id', '=', query.accountId ?? 0))
    .$if(query.before !== undefined, (plays) => {
      const [atMs, position, service] = query.before ?? [0, 0, ''];
      return plays.where(sql<boolean>`(at_ms, position, service) < (${atMs}::bigint, ${position}::bigint, ${service})`);
    })
    .orderBy('at_ms', 'desc')
    .orderBy('position', 'desc')
    .orderBy('service', 'desc')
    .limit(query.limit)
    .execute();
