import {
  mayBeTold,
  tellingsOf,
  type Audience,
  type EventViewer,
  type NameEvent,
  type PrivacySwitch,
  type ResolveAudience,
  type Telling,
} from '@continuo/chassis';
import { matchesPattern, type PublicEvent, type RecordedEvent } from '@continuo/contracts';
import type { Account } from '../auth/index.js';
import type { Listener } from './event-client.js';

/** What is asked to find out who may be told of an event. */
export interface JudgeTools {
  readonly resolve: ResolveAudience;
  readonly name: NameEvent;
  /** An account as of now. */
  readonly account: (userId: number) => Promise<Pick<Account, 'id' | 'access' | 'catalogs' | 'disabled'> | undefined>;
  /** Whether an account lets others see such doings. */
  readonly shows: (userId: number, unless: PrivacySwitch) => Promise<boolean>;
}

/** An event, and to whom it is told. */
export interface Judged {
  readonly event: PublicEvent;
  readonly isFor: (listener: Listener) => boolean;
}

type Viewers = ReadonlyMap<number, EventViewer>;

/**
 * Finds out who of some listeners may be told of an event of the log: once for the event, with the accounts as they are now, however many listen. What nobody of
 * them wants is not looked into.
 */
export const judge = async (tools: JudgeTools, recorded: RecordedEvent, listeners: Iterable<Listener>): Promise<readonly Judged[]> => {
  const tellings = tellingsOf(recorded, tools.name);
  if (tellings.length === 0) return [];
  const all = [...listeners];
  const judged = tellings.map((telling) =>
    judgeOne(
      tools,
      telling,
      all.filter(({ patterns }) => matchesPattern(patterns, telling.event.type)),
    ),
  );
  return Promise.all(judged);
};

const judgeOne = async (tools: JudgeTools, { event, audience: draft }: Telling, wanting: readonly Listener[]): Promise<Judged> => {
  if (wanting.length === 0) return { event, isFor: () => false };
  const viewers = await viewersOf(tools, wanting);
  const audience = await tools.resolve(draft, { catalogs: [...viewers.values()].some(({ catalogs }) => catalogs !== 'all') });
  const shown = await isShown(tools, audience);
  const isFor = ({ userId, patterns }: Listener): boolean => {
    const viewer = viewers.get(userId);
    return viewer !== undefined && matchesPattern(patterns, event.type) && mayBeTold(viewer, audience, () => shown);
  };
  return { event, isFor };
};

const viewersOf = async ({ account }: JudgeTools, listeners: readonly Listener[]): Promise<Viewers> => {
  const viewers = new Map<number, EventViewer>();
  for (const userId of new Set(listeners.map((listener) => listener.userId))) {
    const known = await account(userId);
    if (known && !known.disabled) viewers.set(userId, { userId, level: known.access, catalogs: known.catalogs });
  }
  return viewers;
};

/** Whose doings are nobody's are not shown, and neither are those of a disabled account. */
const isShown = async ({ account, shows }: JudgeTools, { others }: Audience): Promise<boolean> => {
  if (others.are !== 'doings') return false;
  const doer = await account(others.userId);
  return doer !== undefined && !doer.disabled && shows(others.userId, others.unless);
};
