import { sha256Hex } from '@continuo/chassis';
import type { InMemoryCommandClient } from '@continuo/chassis/testkit';
import {
  changeShare,
  createShare,
  deleteShare,
  Rejection,
  shareId,
  visitShare,
  type ReadModel,
  type ShareTable,
} from '@continuo/contracts';
import { sql, type Kysely } from 'kysely';

/** When the first share of the fixtures was made, 2024-05-20T12:00:00Z; each one more came a minute later. */
export const FIRST_SHARED_MS = Date.UTC(2024, 4, 20, 12);
const MINUTE_MS = 60_000;
const A_DAY_MS = 86_400_000;

/** The secret of a share of the fixtures; the test gateway's sealer leaves it as it is. */
export const fixtureSecret = (id: number): string => `secret-of-share-${id}`;

/** Answers the commands about shares and changes nothing, so that documents stay the same: what is made is the second share of the fixtures. */
export const withShares = (commands: InMemoryCommandClient): InMemoryCommandClient =>
  commands
    .handle(createShare, async () => ({ result: { shareId: shareId.parse(2) }, positions: [] }))
    .handle(changeShare, async () => ({ result: {}, positions: [] }))
    .handle(deleteShare, async () => ({ result: {}, positions: [] }));

/** Writes shares into a read model of a test, as the projection of the social service would. */
export class ShareWriter {
  constructor(private readonly db: Kysely<ReadModel>) {}

  /** Writes a share; what is not given is the least that a share can be. */
  async add(row: Pick<ShareTable, 'id' | 'kind' | 'object_ids'> & Partial<ShareTable>): Promise<void> {
    const secret = fixtureSecret(row.id);
    const usual = {
      user_id: 1,
      object_id: row.object_ids[0] ?? 0,
      description: '',
      allow_stream: true,
      allow_download: false,
      created_at_ms: FIRST_SHARED_MS + row.id * MINUTE_MS,
      expires_at_ms: null,
      max_visits: 0,
      visit_count: 0,
      last_visited_at_ms: null,
      secret_sha256: sha256Hex(secret),
      sealed_secret: secret,
    };
    await this.db
      .insertInto('social.share')
      .values({ ...usual, ...row })
      .execute();
  }

  /** An album and a song of the first account, and an artist of the second. */
  async seed(): Promise<void> {
    const visits = { visit_count: 3, last_visited_at_ms: FIRST_SHARED_MS + A_DAY_MS };
    await this.add({ id: 1, kind: 'album', object_ids: [1], description: 'Listen & <enjoy>', allow_download: true, ...visits });
    await this.add({ id: 2, kind: 'song', object_ids: [2], expires_at_ms: FIRST_SHARED_MS + 7 * A_DAY_MS, description: 'A song' });
    await this.add({ id: 7, kind: 'artist', object_ids: [1], user_id: 2, description: 'Mine' });
  }

  /** Answers the commands about shares from now on. */
  answer(commands: InMemoryCommandClient): InMemoryCommandClient {
    const { db } = this;
    return commands
      .handle(createShare, async ({ data, at }) => {
        const known = await sql<{ id: number }>`select coalesce(max(id), 0)::int as id from social.share`.execute(db);
        const id = shareId.parse((known.rows[0]?.id ?? 0) + 1);
        const { userId, kind, objectIds, description, allowStream, allowDownload, expiresAtMs, maxVisits } = data;
        const terms = { description, allow_stream: allowStream, allow_download: allowDownload, max_visits: maxVisits };
        const row = { id, user_id: userId, kind, object_ids: objectIds, ...terms };
        await this.add({ ...row, expires_at_ms: expiresAtMs, ...(at > 0 ? { created_at_ms: FIRST_SHARED_MS } : {}) });
        return { result: { shareId: id }, positions: [] };
      })
      .handle(changeShare, async ({ data }) => {
        const { shareId: id, description, allowStream, allowDownload, expiresAtMs } = data;
        await sql`update social.share set description = coalesce(${description ?? null}, description),
          allow_stream = coalesce(${allowStream ?? null}, allow_stream), allow_download = coalesce(${allowDownload ?? null}, allow_download),
          expires_at_ms = ${expiresAtMs === undefined ? sql`expires_at_ms` : sql`${expiresAtMs}::bigint`} where id = ${id}`.execute(db);
        return { result: {}, positions: [] };
      })
      .handle(visitShare, async ({ data }) => {
        const { numUpdatedRows } = await db
          .updateTable('social.share')
          .set({ visit_count: sql`visit_count + 1`, last_visited_at_ms: FIRST_SHARED_MS })
          .where('id', '=', data.shareId)
          .where(sql<boolean>`(max_visits = 0 or visit_count < max_visits)`)
          .executeTakeFirst();
        if (Number(numUpdatedRows) === 0) throw new Rejection('share.not-found');
        return { result: {}, positions: [] };
      })
      .handle(deleteShare, async ({ data }) => {
        await db.deleteFrom('social.share').where('id', '=', data.shareId).execute();
        return { result: {}, positions: [] };
      });
  }
}
