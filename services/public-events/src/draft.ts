import type { PublicEvent, PublicEventType, RecordedEvent } from '@continuo/contracts';
import type { AboutObject, DraftAudience, PrivacySwitch } from './audience.js';

/** Public form of a recorded event, and its recipients. Without `actor` it is the account that caused the event. */
export interface Draft {
  readonly type: PublicEventType;
  readonly object: { readonly kind: string; readonly id: number | string };
  readonly actor?: PublicEvent['actor'];
  readonly data?: Readonly<Record<string, unknown>>;
  readonly audience: Omit<DraftAudience, 'termsOf'> & { readonly termsOf?: AboutObject };
}

/** Writes the drafts of one type of event; none when nobody is notified. */
export type Drafting<D> = (data: D, event: RecordedEvent) => readonly Draft[];

/** Public forms of the events of one kind of aggregate. */
export interface DraftFamily {
  /** Kind as it stands in subjects. */
  readonly aggregate: string;
  /** Everything that these events can become, so that nobody reads a log for nothing. */
  readonly types: readonly PublicEventType[];
  readonly drafts: Readonly<Record<string, Drafting<never>>>;
}

/** Acts of the server itself, or such as whose author is nobody's business. */
export const bySystem: PublicEvent['actor'] = { type: 'system' };

/** An account as the one who did it. */
export const byUser = (userId: number): PublicEvent['actor'] => ({ type: 'user', id: String(userId) });

/** Builds an activity of somebody with a thing: sent to them, and to others as far as their preferences allow. */
export const doing = (
  type: PublicEventType,
  userId: number,
  { about, unless = 'allow_personal_info_recent', data }: { about: AboutObject; unless?: PrivacySwitch; data?: Draft['data'] },
): Draft => ({
  type,
  object: about,
  actor: byUser(userId),
  ...(data ? { data } : {}),
  audience: { owners: [userId], others: { are: 'doings', userId, unless }, about },
});
