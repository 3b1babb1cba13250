import { projectEach, type Projection, type UserKeys } from '@continuo/chassis';
import {
  chatMessageSent,
  shoutMade,
  type ChatEvent,
  type ChatMessageTable,
  type EventOf,
  type RecordedEvent,
  type ShoutEvent,
  type ShoutTable,
  type userDeleted,
  type UserId,
} from '@continuo/contracts';
import type { Logger } from 'pino';

interface Tables {
  shout: ShoutTable;
  chat_message: ChatMessageTable;
}

const ddl = [
  `create table shout (
    id bigint primary key,
    user_id integer not null,
    number integer not null,
    kind text not null,
    object_id integer not null,
    text text not null,
    at_ms bigint not null
  )`,
  'create index shout_by_time on shout (at_ms desc, id desc)',
  'create index shout_by_user on shout (user_id, at_ms desc, id desc)',
  'create index shout_by_number on shout (user_id, number)',
  `create table chat_message (
    id bigint primary key,
    user_id integer not null,
    text text not null,
    at_ms bigint not null
  )`,
  'create index chat_message_by_time on chat_message (at_ms desc, id desc)',
  'create index chat_message_by_user on chat_message (user_id)',
];

const DAY_MS = 86_400_000;
/** Messages of the chat are forgotten after so many days, when the next one comes. */
const CHAT_DAYS = 30;

/** The text rides on the event from `prepare` to `project`; without one there is nothing to show. */
interface Opened {
  readonly openedText?: string;
}
const textOf = (event: RecordedEvent): string | undefined => (event as Opened).openedText;

type Deleted = EventOf<typeof userDeleted>;

const projecting = projectEach<ShoutEvent | ChatEvent | Deleted, Tables>({
  ShoutMade: (event, db) => {
    const { userId, number, kind, objectId } = event.data;
    const text = textOf(event);
    if (text === undefined) return [];
    const row = { user_id: userId, number, kind, object_id: objectId, text, at_ms: event.at };
    const insert = db.insertInto('shout').values({ id: event.position, ...row });
    return [insert.onConflict((conflict) => conflict.column('id').doUpdateSet(row))];
  },
  ShoutRemoved: ({ data }, db) => [db.deleteFrom('shout').where('user_id', '=', data.userId).where('number', '=', data.number)],
  ChatMessageSent: (event, db) => {
    const text = textOf(event);
    if (text === undefined) return [];
    const row = { user_id: event.data.userId, text, at_ms: event.at };
    return [
      db
        .insertInto('chat_message')
        .values({ id: event.position, ...row })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row)),
      db.deleteFrom('chat_message').where('at_ms', '<', event.at - CHAT_DAYS * DAY_MS),
    ];
  },
  UserDeleted: ({ data }, db) => [
    db.deleteFrom('shout').where('user_id', '=', data.userId),
    db.deleteFrom('chat_message').where('user_id', '=', data.userId),
  ],
});

const isComment = (event: RecordedEvent): boolean => event.type === shoutMade.type || event.type === chatMessageSent.type;

const open = async (event: RecordedEvent, keys: UserKeys, log: Logger): Promise<RecordedEvent> => {
  const { userId, sealedText } = event.data as { userId: UserId; sealedText: string };
  const key = await keys.find(userId);
  // Whoever is forgotten has said nothing.
  if (key.state === 'absent') return event;
  try {
    if (key.state === 'present') return { ...event, openedText: key.sealer.open(sealedText) } as RecordedEvent;
    log.error({ userId }, 'the key of a comment was made under another CONTINUO_SECRET; the comment is not shown');
  } catch (err) {
    log.error({ err, userId }, 'failed to decrypt a comment');
  }
  return event;
};

/** Shouts and the chat. Texts are opened with their authors' keys; those of accounts that are gone are gone with them. */
export const commentsProjection = (keys: UserKeys, log: Logger): Projection<Tables> => ({
  name: 'social-remarks',
  version: 1,
  context: 'identity',
  publishedSchema: 'social',
  publishes: ['shout', 'chat_message'],
  ddl,
  ...projecting,
  prepare: (events) => Promise.all(events.map(async (event) => (isComment(event) ? open(event, keys, log) : event))),
});
