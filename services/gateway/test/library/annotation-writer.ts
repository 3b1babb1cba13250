import type { InMemoryCommandClient } from '@continuo/chassis/testkit';
import { flagObjects, rateObject, type AnnotatedKind, type ReadModel } from '@continuo/contracts';
import type { Kysely } from 'kysely';

/** A thing, and what somebody says of it. */
interface Said {
  readonly userId: number;
  readonly kind: AnnotatedKind;
  readonly objectId: number;
}

/** When the first favourite of the fixtures was made, 2024-05-10T12:00:00Z; each one more came a minute later. */
export const FIRST_FLAGGED_MS = Date.UTC(2024, 4, 10, 12);
const MINUTE_MS = 60_000;

/** Writes ratings and favourites into a read model of a test, as the projection of the social service would. */
export class AnnotationWriter {
  constructor(private readonly db: Kysely<ReadModel>) {}

  /** Sets or, with 0, takes back a rating, and brings the mean up to date. */
  async rate({ userId, kind, objectId }: Said, rating: number, atMs = FIRST_FLAGGED_MS): Promise<void> {
    const { db } = this;
    await db.deleteFrom('social.rating').where('user_id', '=', userId).where('kind', '=', kind).where('object_id', '=', objectId).execute();
    if (rating > 0)
      await db.insertInto('social.rating').values({ user_id: userId, kind, object_id: objectId, rating, rated_at_ms: atMs }).execute();
    const ratings = await db
      .selectFrom('social.rating')
      .select('rating')
      .where('kind', '=', kind)
      .where('object_id', '=', objectId)
      .execute();
    await db.deleteFrom('social.rating_average').where('kind', '=', kind).where('object_id', '=', objectId).execute();
    if (ratings.length === 0) return;
    const sum = ratings.reduce((total, row) => total + row.rating, 0);
    await db
      .insertInto('social.rating_average')
      .values({ kind, object_id: objectId, rating_count: ratings.length, rating_sum: sum })
      .execute();
  }

  /** Makes a thing a favourite at a time, or takes it off without one. */
  async flag({ userId, kind, objectId }: Said, atMs: number | undefined): Promise<void> {
    const { db } = this;
    await db
      .deleteFrom('social.user_flag')
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .where('object_id', '=', objectId)
      .execute();
    if (atMs !== undefined)
      await db.insertInto('social.user_flag').values({ user_id: userId, kind, object_id: objectId, flagged_at_ms: atMs }).execute();
  }

  /** Opinions of the first account, and of others, about a little of everything that the fixture library has. */
  async seed(): Promise<void> {
    const favourites = [
      ['song', 1],
      ['song', 3],
      ['album', 1],
      ['artist', 1],
      ['folder', 3],
    ] as const;
    for (const [n, [kind, objectId]] of favourites.entries())
      await this.flag({ userId: 1, kind, objectId }, FIRST_FLAGGED_MS + n * MINUTE_MS);
    await this.flag({ userId: 2, kind: 'song', objectId: 2 }, FIRST_FLAGGED_MS);
    const ratings = [
      [1, 'song', 1, 5],
      [2, 'song', 1, 3],
      [3, 'song', 1, 3],
      [2, 'song', 2, 4],
      [1, 'album', 1, 4],
      [2, 'album', 2, 5],
      [3, 'album', 2, 4],
      [1, 'artist', 1, 2],
    ] as const;
    for (const [userId, kind, objectId, rating] of ratings) await this.rate({ userId, kind, objectId }, rating);
  }

  /** Answers the commands about ratings and favourites from now on. */
  answer(commands: InMemoryCommandClient): InMemoryCommandClient {
    return commands
      .handle(rateObject, async ({ data }) => {
        await this.rate(data, data.rating);
        return { result: {}, positions: [] };
      })
      .handle(flagObjects, async ({ data, at }) => {
        const { userId, flagged, flaggedAtMs = at } = data;
        for (const object of data.objects) await this.flag({ userId, ...object }, flagged ? flaggedAtMs : undefined);
        return { result: {}, positions: [] };
      });
  }
}
