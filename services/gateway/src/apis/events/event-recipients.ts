import { matchesPattern, type PublicEvent, type RecordedEvent } from '@continuo/contracts';
import {
  type Audience,
  type EventNotification,
  type EventViewer,
  mayBeNotified,
  type NameEvent,
  notificationsOf,
  type PrivacySwitch,
  type ResolveAudience,
} from '@continuo/public-events';
import type { Account } from '../../auth/index.js';
import type { Listener } from './event-client.js';

/** Reads that decide about the recipients of an event. */
export interface RecipientReads {
  readonly resolve: ResolveAudience;
  readonly name: NameEvent;
  /** An account as of now. */
  readonly account: (userId: number) => Promise<Pick<Account, 'id' | 'access' | 'catalogs' | 'disabled'> | undefined>;
  /** True when the account lets others see such activity. */
  readonly shows: (userId: number, unless: PrivacySwitch) => Promise<boolean>;
}

/** An event and its recipients. */
export interface ResolvedEvent {
  readonly event: PublicEvent;
  readonly isFor: (listener: Listener) => boolean;
}

type Viewers = ReadonlyMap<number, EventViewer>;

/**
 * Finds the listeners that may get an event: evaluated once per event, with the present accounts. Events that no listener subscribed to are
 * skipped.
 */
export const resolveRecipients = async (
  reads: RecipientReads,
  recorded: RecordedEvent,
  listeners: Iterable<Listener>,
): Promise<readonly ResolvedEvent[]> => {
  const notifications = notificationsOf(recorded, reads.name);
  if (notifications.length === 0) return [];
  const all = [...listeners];
  const resolved = notifications.map((notification) =>
    resolveOne(
      reads,
      notification,
      all.filter(({ patterns }) => matchesPattern(patterns, notification.event.type)),
    ),
  );
  return Promise.all(resolved);
};

const resolveOne = async (
  reads: RecipientReads,
  { event, audience: draft }: EventNotification,
  subscribers: readonly Listener[],
): Promise<ResolvedEvent> => {
  if (subscribers.length === 0) return { event, isFor: () => false };
  const viewers = await viewersOf(reads, subscribers);
  const audience = await reads.resolve(draft, { catalogs: [...viewers.values()].some(({ catalogs }) => catalogs !== 'all') });
  const isVisible = await isActivityVisible(reads, audience);
  const isFor = ({ userId, mostLevel, patterns }: Listener): boolean => {
    const viewer = viewers.get(userId);
    if (viewer === undefined || !matchesPattern(patterns, event.type)) return false;
    return mayBeNotified({ ...viewer, level: Math.min(viewer.level, mostLevel) }, audience, () => isVisible);
  };
  return { event, isFor };
};

const viewersOf = async ({ account }: RecipientReads, listeners: readonly Listener[]): Promise<Viewers> => {
  const viewers = new Map<number, EventViewer>();
  for (const userId of new Set(listeners.map((listener) => listener.userId))) {
    const known = await account(userId);
    if (known && !known.disabled) viewers.set(userId, { userId, level: known.access, catalogs: known.catalogs });
  }
  return viewers;
};

/** False for activity of nobody, and of disabled accounts. */
const isActivityVisible = async ({ account, shows }: RecipientReads, { others }: Audience): Promise<boolean> => {
  if (others.are !== 'doings') return false;
  const doer = await account(others.userId);
  return doer !== undefined && !doer.disabled && shows(others.userId, others.unless);
};
