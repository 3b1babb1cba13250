/** Switches by which accounts say what others may see of what they do. */
export type PrivacySwitch = 'allow_personal_info_now' | 'allow_personal_info_recent';

/** Recipients of an event beside those whom it belongs to. */
export type OtherRecipients =
  | { readonly are: 'nobody' }
  | { readonly are: 'everybody' }
  /** Accounts from this access level on. */
  | { readonly are: 'level'; readonly level: number }
  /** Everybody, unless the account keeps such doings to itself or is disabled. */
  | { readonly are: 'doings'; readonly userId: number; readonly unless: PrivacySwitch };

/** Object of an event, which every recipient must be able to see. */
export interface AboutObject {
  readonly kind: string;
  readonly id: number;
}

/** Recipients of an event. */
export interface Audience {
  /** Accounts that are notified whatever they keep private. */
  readonly owners: readonly number[];
  readonly others: OtherRecipients;
  /** Catalogs of which one has to be visible, for owners too; absent: it lies in none. */
  readonly catalogIds?: readonly number[];
  /** Accounts of which it has to be one, administrators aside: who may open the private list that it is about. */
  readonly within?: readonly number[];
}

/** Recipients of an event, as far as the event itself names them. */
export interface DraftAudience extends Pick<Audience, 'owners' | 'others' | 'catalogIds'> {
  /** A thing whose catalogs have to be looked up. */
  readonly about?: AboutObject;
  /** A share or a list, whose owner and terms stand in its own events, and where among them this one stands. */
  readonly termsOf?: AboutObject & { readonly position: number };
}

/** For whom is asked. */
export interface EventViewer {
  /** null: an operator, who is no account. */
  readonly userId: number | null;
  readonly level: number;
  readonly catalogs: 'all' | readonly number[];
}

/** True when an account lets others see such activities; false for one that is disabled or deleted. */
export type ShowsActivity = (userId: number, unless: PrivacySwitch) => boolean;

const ADMINISTRATOR = 100;

const amongOthers = (others: OtherRecipients, { level }: EventViewer, shows: ShowsActivity): boolean => {
  switch (others.are) {
    case 'nobody':
      return false;
    case 'everybody':
      return true;
    case 'level':
      return level >= others.level;
    case 'doings':
      return shows(others.userId, others.unless);
  }
};

/**
 * Whether somebody may be told of an event: the single place that decides it, for webhooks and event streams alike. It is the rule of the lists: one's own,
 * what others do not keep private, what one's level shows; and nothing of catalogs that one does not see.
 */
export const mayBeNotified = (viewer: EventViewer, { owners, others, catalogIds, within }: Audience, shows: ShowsActivity): boolean => {
  const { catalogs, userId, level } = viewer;
  if (within && level < ADMINISTRATOR && (userId === null || !within.includes(userId))) return false;
  if (catalogIds && catalogs !== 'all' && !catalogIds.some((id) => catalogs.includes(id))) return false;
  return (userId !== null && owners.includes(userId)) || amongOthers(others, viewer, shows);
};
