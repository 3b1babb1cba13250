import { matchesPattern, PUBLIC_EVENT_VERSION, type Context, type PublicEvent, type RecordedEvent } from '@continuo/contracts';
import { definitionOf, keyedDigest, type NamedEvent, type ServerSecret } from '@continuo/chassis';
import type { DraftAudience } from './audience.js';
import { bySystem, byUser, type Draft, type DraftFamily, type Drafting } from './draft.js';
import { shoutFamily, userFamily } from './drafts/identity.drafts.js';
import { scanFamily } from './drafts/ingest.drafts.js';
import {
  catalogFamily,
  collectionFamily,
  folderFamily,
  liveStreamFamily,
  playlistFamily,
  smartlistFamily,
  videoFamily,
} from './drafts/library.drafts.js';
import { bookmarkFamily, playFamily, playQueueFamily } from './drafts/playback.drafts.js';
import { operationFamily, sonicRunFamily, transcodeBatchFamily } from './drafts/work.drafts.js';
import { annotationFamily, followFamily, shareFamily } from './drafts/social.drafts.js';

/** Public forms of the events of each log. */
const families = {
  library: [catalogFamily, folderFamily, videoFamily, playlistFamily, smartlistFamily, collectionFamily, liveStreamFamily],
  playback: [playFamily, bookmarkFamily, playQueueFamily],
  identity: [userFamily, shoutFamily],
  social: [annotationFamily, followFamily, shareFamily, operationFamily],
  ingest: [scanFamily],
  transcode: [transcodeBatchFamily],
  sonic: [sonicRunFamily],
} as const satisfies Partial<Record<Context, readonly DraftFamily[]>>;

/** Contexts whose events cause notifications. */
export type NotifiedContext = keyof typeof families;

/** All of {@link NotifiedContext}, in the order in which positions are listed. */
export const notifiedContexts = Object.keys(families) as readonly NotifiedContext[];

const notifications = new Map<string, Drafting<never>>(
  Object.values(families)
    .flat()
    .flatMap((family: DraftFamily) => Object.entries(family.drafts)),
);

/** Names of the events of the log that cause notifications. */
export const notifiedEventNames: ReadonlySet<string> = new Set(notifications.keys());

/** Definitions of the events of a context that cause notifications, for readers of its log. */
export const notifiedDefinitions = (context: NotifiedContext): readonly NamedEvent[] =>
  families[context].flatMap((family: DraftFamily) => Object.keys(family.drafts).flatMap((type) => definitionOf(type) ?? []));

/** A public event and its recipients, as far as the event itself names them. */
export interface EventNotification {
  readonly event: PublicEvent;
  readonly audience: DraftAudience;
}

/** `user:<id>` acts for itself; who is not logged in is a visitor; services and programs are the server. */
const actorOf = (actor: string): PublicEvent['actor'] => {
  const match = /^user:(\d+)$/.exec(actor);
  if (match?.[1] !== undefined) return byUser(Number(match[1]));
  return actor === 'anonymous' ? { type: 'visitor' } : bySystem;
};

/** Terms are those of the whole time since the event. */
const termsAt = ({ termsOf, ...audience }: Draft['audience'], position: number): DraftAudience =>
  termsOf ? { ...audience, termsOf: { ...termsOf, position } } : audience;

/** Gives public events their ids, from their position in the log. */
export type NameEvent = (place: string) => string;

/** Hexadecimal digits of an id: 128 bits. */
const ID_LENGTH = 32;

/**
 * Ids that nobody can count with: gaps between those that one hears of would tell how much goes on that one does not. Webhooks and event streams of one server
 * have the same.
 */
export const publicEventIds = (secret: ServerSecret): NameEvent => {
  const digest = keyedDigest(secret, 'public-event-ids/v1');
  return (place) => digest(place).slice(0, ID_LENGTH);
};

const told = (
  recorded: RecordedEvent,
  draft: Draft,
  index: number,
): Omit<EventNotification, 'event'> & { event: Omit<PublicEvent, 'id'>; place: string } => {
  const { stream, position, at, actor } = recorded;
  return {
    place: `${stream} ${position} ${index}`,
    event: {
      type: draft.type,
      version: PUBLIC_EVENT_VERSION,
      time: new Date(at).toISOString(),
      actor: draft.actor ?? actorOf(actor),
      object: { type: draft.object.kind, id: String(draft.object.id) },
      data: draft.data ?? {},
    },
    audience: termsAt(draft.audience, position),
  };
};

/** Notifications of one event of the log: none, one or several. The ids depend on the position of the event and on nothing else. */
export const notificationsOf = (recorded: RecordedEvent, name: NameEvent): readonly EventNotification[] => {
  const drafts = notifications.get(recorded.type)?.(recorded.data as never, recorded) ?? [];
  return drafts.map((draft, index) => {
    const { place, event, audience } = told(recorded, draft, index);
    return { event: { id: name(place), ...event }, audience };
  });
};

/** Kinds of aggregates of a context whose events can become one of the wanted types; none when there are none. */
export const notifiedAggregates = (context: NotifiedContext, patterns: readonly string[]): readonly string[] =>
  (families[context] as readonly DraftFamily[])
    .filter(({ types }) => types.some((type) => matchesPattern(patterns, type)))
    .map(({ aggregate }) => aggregate);
