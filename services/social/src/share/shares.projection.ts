import { projectEach, type Projection, type UserKeys } from '@continuo/chassis';
import { given, type RecordedEvent, type ShareEvent, type ShareTable, type UserId } from '@continuo/contracts';
import { sql } from 'kysely';
import type { Logger } from 'pino';

interface Tables {
  share: ShareTable;
}

const ddl = [
  `create table share (
    id integer primary key,
    user_id integer not null,
    kind text not null,
    object_id integer not null,
    object_ids integer[] not null,
    description text not null,
    allow_stream boolean not null,
    allow_download boolean not null,
    created_at_ms bigint not null,
    expires_at_ms bigint,
    max_visits integer not null,
    visit_count integer not null,
    last_visited_at_ms bigint,
    secret_sha256 text not null,
    sealed_secret text not null
  )`,
  'create index share_by_user on share (user_id, id)',
];

type Changed = Extract<ShareEvent, { type: 'ShareChanged' }>['data'];

/** The columns of what was named; what was not named stays. */
const changedColumns = ({ description, allowStream, allowDownload, expiresAtMs, maxVisits }: Changed): Partial<ShareTable> =>
  given({ description, allow_stream: allowStream, allow_download: allowDownload, expires_at_ms: expiresAtMs, max_visits: maxVisits });

/**
 * Puts what was written in the place where it stood before it was sealed. Of whoever is gone nothing is left; what cannot be opened for another reason is told of
 * and left empty.
 */
const open = async (event: RecordedEvent, keys: UserKeys, log: Logger): Promise<RecordedEvent> => {
  const { userId, sealedDescription } = event.data as { userId?: UserId; sealedDescription?: string };
  if (userId === undefined || sealedDescription === undefined) return event;
  const said = (description: string): RecordedEvent => ({ ...event, data: { ...(event.data as object), description } });
  const key = await keys.find(userId);
  if (key.state === 'absent') return said('');
  try {
    if (key.state === 'present') return said(key.sealer.open(sealedDescription));
    log.error({ userId }, 'the key of a share was made under another CONTINUO_SECRET; its description is not shown');
  } catch (err) {
    log.error({ err, userId }, 'failed to decrypt the description of a share');
  }
  return said('');
};

/** The shares of the read model; one that was deleted has no row. */
export const sharesProjection = (keys: UserKeys, log: Logger): Projection<Tables> => ({
  name: 'social-shares',
  version: 1,
  context: 'social',
  publishedSchema: 'social',
  publishes: ['share'],
  ddl,
  ...projectEach<ShareEvent, Tables>({
    ShareCreated: ({ data }, db) => {
      const row = {
        user_id: data.userId,
        kind: data.kind,
        object_id: data.objectIds[0] ?? 0,
        object_ids: data.objectIds,
        description: data.description,
        allow_stream: data.allowStream,
        allow_download: data.allowDownload,
        created_at_ms: data.createdAtMs,
        expires_at_ms: data.expiresAtMs,
        max_visits: data.maxVisits,
        visit_count: 0,
        last_visited_at_ms: null,
        secret_sha256: data.secretSha256,
        sealed_secret: data.sealedSecret,
      };
      const insert = db.insertInto('share').values({ id: data.shareId, ...row });
      return [insert.onConflict((conflict) => conflict.column('id').doUpdateSet(row))];
    },
    ShareChanged: ({ data }, db) => {
      const columns = changedColumns(data);
      return Object.keys(columns).length === 0 ? [] : [db.updateTable('share').set(columns).where('id', '=', data.shareId)];
    },
    ShareVisited: ({ data }, db) => [
      db
        .updateTable('share')
        .set({
          visit_count: sql`visit_count + 1`,
          last_visited_at_ms: sql`greatest(coalesce(last_visited_at_ms, 0), ${data.visitedAtMs}::bigint)`,
        })
        .where('id', '=', data.shareId),
    ],
    ShareDeleted: ({ data }, db) => [db.deleteFrom('share').where('id', '=', data.shareId)],
  }),
  prepare: (events) => Promise.all(events.map((event) => open(event, keys, log))),
});
