import type { Aggregate } from '@continuo/chassis';
import {
  relayLinked,
  relayRefused,
  relayServices,
  relayUnlinked,
  type RelayEvent,
  type RelayService,
  type UserId,
} from '@continuo/contracts';

type Linked = ReturnType<typeof relayLinked>['data'];

/** Links an account with a service; `resumes` says that it is the same account there as before, so that what waits goes on. */
export interface LinkRelay {
  readonly type: 'link';
  readonly link: Omit<Linked, 'run' | 'sinceMs'>;
  readonly resumes: boolean;
}

/** Commands of the links of an account. */
export type RelayCommand =
  | LinkRelay
  /** `linkedAtMs` names the link whose credential was refused: one that was renewed meanwhile is another. */
  | { readonly type: 'refuse'; readonly userId: UserId; readonly service: RelayService; readonly linkedAtMs: number }
  | { readonly type: 'unlink'; readonly userId: UserId; readonly service: RelayService }
  | { readonly type: 'forget'; readonly userId: UserId };

/** One link, as far as decisions need it. */
export interface RelayLinkState {
  readonly status: 'on' | 'refused' | 'off';
  readonly run: number;
  readonly afterPosition: number;
  readonly sinceMs: number;
  readonly linkedAtMs: number;
  readonly sealedName: string;
  readonly host: string;
}

/** The links of an account. */
export type RelayLinks = Readonly<Partial<Record<RelayService, RelayLinkState>>>;

const linked = (state: RelayLinks, { link, resumes }: LinkRelay): RelayEvent => {
  const before = state[link.service];
  if (!before || !resumes || before.status === 'off')
    return relayLinked({ ...link, run: (before?.run ?? 0) + 1, sinceMs: link.linkedAtMs });
  const { run, afterPosition, sinceMs } = before;
  return relayLinked({ ...link, run, afterPosition, sinceMs });
};

const unlinked = (state: RelayLinks, userId: UserId, service: RelayService): readonly RelayEvent[] => {
  const status = state[service]?.status ?? 'off';
  return status === 'off' ? [] : [relayUnlinked({ userId, service })];
};

const decide = (state: RelayLinks, command: RelayCommand): readonly RelayEvent[] => {
  switch (command.type) {
    case 'link':
      return [linked(state, command)];
    case 'refuse': {
      const { userId, service, linkedAtMs } = command;
      const known = state[service];
      return known?.status === 'on' && known.linkedAtMs === linkedAtMs ? [relayRefused({ userId, service })] : [];
    }
    case 'unlink':
      return unlinked(state, command.userId, command.service);
    case 'forget':
      return relayServices.flatMap((service) => unlinked(state, command.userId, service));
  }
};

const withStatus = (state: RelayLinks, service: RelayService, status: RelayLinkState['status']): RelayLinks => {
  const known = state[service];
  return known ? { ...state, [service]: { ...known, status } } : state;
};

const evolve = (state: RelayLinks, event: RelayEvent): RelayLinks => {
  switch (event.type) {
    case 'RelayLinked': {
      const { service, run, afterPosition, sinceMs, linkedAtMs, sealedName, host } = event.data;
      return { ...state, [service]: { status: 'on', run, afterPosition, sinceMs, linkedAtMs, sealedName, host } };
    }
    case 'RelayRefused':
      return withStatus(state, event.data.service, 'refused');
    case 'RelayUnlinked':
      return withStatus(state, event.data.service, 'off');
    default:
      return state;
  }
};

/** Links of an account with scrobble services; the id is the account's. */
export const relayLinks: Aggregate<RelayLinks, RelayCommand, RelayEvent> = {
  context: 'playback',
  kind: 'relay',
  initialState: {},
  decide,
  evolve,
};
