import type { Aggregate } from '@continuo/chassis';
import { shoutMade, shoutRemoved, type AnnotatedKind, type ShoutEvent, type UserId } from '@continuo/contracts';

/** Makes a comment, whose text comes sealed, or removes one. */
export type ShoutCommand =
  | {
      readonly type: 'make';
      readonly userId: UserId;
      readonly kind: AnnotatedKind;
      readonly objectId: number;
      readonly sealedText: string;
    }
  | { readonly type: 'remove'; readonly userId: UserId; readonly number: number };

/** The shouts of a user that stand. */
export interface ShoutsState {
  /** The number that was given last. */
  readonly last: number;
  readonly removed: readonly number[];
}

const decide = ({ last, removed }: ShoutsState, command: ShoutCommand): readonly ShoutEvent[] => {
  const { userId } = command;
  switch (command.type) {
    case 'make': {
      const { kind, objectId, sealedText } = command;
      return [shoutMade({ userId, number: last + 1, kind, objectId, sealedText })];
    }
    case 'remove':
      return command.number > last || removed.includes(command.number) ? [] : [shoutRemoved({ userId, number: command.number })];
    default:
      return command satisfies never;
  }
};

const evolve = (state: ShoutsState, event: ShoutEvent): ShoutsState => {
  switch (event.type) {
    case 'ShoutMade':
      return { ...state, last: event.data.number };
    case 'ShoutRemoved':
      return { ...state, removed: [...state.removed, event.data.number] };
    default:
      return state;
  }
};

/** Comments of one user; the id is the user's. */
export const shouts: Aggregate<ShoutsState, ShoutCommand, ShoutEvent> = {
  context: 'identity',
  kind: 'shouts',
  initialState: { last: 0, removed: [] },
  decide,
  evolve,
};
