import type { AnnotatedKind } from '@continuo/contracts';
import { sql } from 'kysely';
import { objectsThere, type SeenObject } from '../../kinds/visible-objects.reads.js';
import type { ReadDatabase } from '../../reads/database/database.js';
import type { Viewer } from '../../reads/visibility/viewer.js';

/** Shout about a thing. */
export interface ShoutView {
  readonly id: number;
  readonly atMs: number;
  readonly text: string;
  readonly objectType: SeenObject['kind'];
  readonly objectId: number;
  readonly userId: number;
  readonly username: string;
}

/** Last shout of a page: the next page begins behind it. */
export interface ShoutMark {
  readonly atMs: number;
  readonly id: number;
}

/** A shout as administrators see it, whatever it is about. */
export interface ManagedShout extends Omit<ShoutView, 'username' | 'objectType'> {
  readonly kind: AnnotatedKind;
  /** Its number among its author's. */
  readonly number: number;
}

const managed = (db: ReadDatabase) =>
  db
    .selectFrom('social.shout as s')
    .select(['s.id', 's.at_ms as atMs', 's.text', 's.kind', 's.object_id as objectId', 's.user_id as userId', 's.number']);

/** Page of the shouts of everybody, newest first. */
export const shoutsBefore = (
  db: ReadDatabase,
  { before, limit }: { readonly before?: ShoutMark | undefined; readonly limit: number },
): Promise<ManagedShout[]> =>
  managed(db)
    .$if(before !== undefined, (all) => all.where(behind(before)))
    .orderBy('s.at_ms', 'desc')
    .orderBy('s.id', 'desc')
    .limit(limit)
    .execute();

/** The shout of a number, whoever made it. */
export const shoutById = (db: ReadDatabase, id: number): Promise<ManagedShout | undefined> =>
  managed(db).where('s.id', '=', id).executeTakeFirst();

const behind = (mark: ShoutMark | undefined) => sql<boolean>`(s.at_ms, s.id) < (${mark?.atMs ?? 0}::bigint, ${mark?.id ?? 0}::bigint)`;

const AT_ONCE = 200;
/** As many shouts are looked through for one page at the most, whatever the viewer may not see of them. */
const MOST_LOOKED_AT = 5000;

const newest = async (db: ReadDatabase, userId: number | undefined, after: ShoutView | undefined): Promise<ShoutView[]> => {
  const query = db
    .selectFrom('social.shout as s')
    .innerJoin('social.user as u', 'u.id', 's.user_id')
    .select(['s.id', 's.at_ms as atMs', 's.text', 's.kind as objectType', 's.object_id as objectId', 'u.id as userId', 'u.username'])
    .$if(userId !== undefined, (all) => all.where('s.user_id', '=', userId ?? 0))
    .$if(after !== undefined, (all) => all.where(behind(after)))
    .orderBy('s.at_ms', 'desc')
    .orderBy('s.id', 'desc')
    .limit(AT_ONCE);
  return query.execute();
};

/** The latest shouts about things that are there for the viewer, newest first: of everybody, or of one account. */
export const lastShouts = async (
  db: ReadDatabase,
  viewer: Viewer,
  { limit, userId }: { readonly limit: number; readonly userId?: number | undefined },
): Promise<ShoutView[]> => {
  const found: ShoutView[] = [];
  let after: ShoutView | undefined;
  for (let lookedAt = 0; found.length < limit && lookedAt < MOST_LOOKED_AT; lookedAt += AT_ONCE) {
    const shouts = await newest(db, userId, after);
    const there = await objectsThere(
      db,
      viewer,
      shouts.map(({ objectType: kind, objectId }) => ({ kind, objectId })),
    );
    found.push(...shouts.filter(({ objectType: kind, objectId }) => there({ kind, objectId })));
    if (shouts.length < AT_ONCE) break;
    after = shouts.at(-1);
  }
  return found.slice(0, limit);
};
