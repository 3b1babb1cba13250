import { matchesPattern, PUBLIC_EVENT_VERSION, type Context, type PublicEvent, type RecordedEvent } from '@continuo/contracts';
import { keyedDigest } from '../security/digest.js';
import type { ServerSecret } from '../security/secret-ring.js';
import { definitionOf } from '../event-store/catalogue.js';
import type { NamedEvent } from '../transport/handlers.js';
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
import { annotationFamily, followFamily, shareFamily } from './drafts/social.drafts.js';

/** What is told of the events of each log. */
const families = {
  library: [catalogFamily, folderFamily, videoFamily, playlistFamily, smartlistFamily, collectionFamily, liveStreamFamily],
  playback: [playFamily, bookmarkFamily, playQueueFamily],
  identity: [userFamily, shoutFamily],
  social: [annotationFamily, followFamily, shareFamily],
  ingest: [scanFamily],
} as const satisfies Partial<Record<Context, readonly DraftFamily[]>>;

/** Contexts of whose events something is told. */
export type ToldContext = keyof typeof families;

/** All of {@link ToldContext}, in the order in which positions are listed. */
export const toldContexts = Object.keys(families) as readonly ToldContext[];

const tellings = new Map<string, Drafting<never>>(
  Object.values(families)
    .flat()
    .flatMap((family: DraftFamily) => Object.entries(family.drafts)),
);

/** Names of the events of the log of which something is told. */
export const toldEventNames: ReadonlySet<string> = new Set(tellings.keys());

/** Definitions of the events of a context of which something is told, for whoever reads its log. */
export const definitionsTold = (context: ToldContext): readonly NamedEvent[] =>
  families[context].flatMap((family: DraftFamily) => Object.keys(family.drafts).flatMap((type) => definitionOf(type) ?? []));

/** An event as it can be told, and to whom, as far as it says so itself. */
export interface Telling {
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

/** Gives events the ids under which they are told, from where they stand in the log. */
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
): Omit<Telling, 'event'> & { event: Omit<PublicEvent, 'id'>; place: string } => {
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

/** What is told of an event of the log: nothing, one thing, or several. The ids depend on where the event stands and on nothing else. */
export const tellingsOf = (recorded: RecordedEvent, name: NameEvent): readonly Telling[] => {
  const drafts = tellings.get(recorded.type)?.(recorded.data as never, recorded) ?? [];
  return drafts.map((draft, index) => {
    const { place, event, audience } = told(recorded, draft, index);
    return { event: { id: name(place), ...event }, audience };
  });
};

/** Subjects of a context on which events stand that can become one of the wanted types; none when there are none. */
export const subjectsToldOf = (context: ToldContext, patterns: readonly string[]): readonly string[] =>
  aggregatesToldOf(context, patterns).map((aggregate) => `ev.${context}.*.${aggregate}.>`);

/** The same as kinds of aggregates. */
export const aggregatesToldOf = (context: ToldContext, patterns: readonly string[]): readonly string[] =>
  (families[context] as readonly DraftFamily[])
    .filter(({ types }) => types.some((type) => matchesPattern(patterns, type)))
    .map(({ aggregate }) => aggregate);
