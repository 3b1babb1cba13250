import type { Aggregate } from '@continuo/chassis';
import { preferenceSet, preferencesForgotten, type PreferenceEvent, type UserId } from '@continuo/contracts';

/** Commands of an account's preferences. */
export type UserPreferencesCommand =
  | { readonly type: 'set'; readonly userId: UserId; readonly preferenceId: number; readonly value: string }
  | { readonly type: 'set-several'; readonly userId: UserId; readonly values: readonly { preferenceId: number; value: string }[] }
  | { readonly type: 'forget'; readonly userId: UserId };

/**
 * Whether the account may have values of its own. Which, it does not remember: a value that was set for everybody has taken its own away without a word
 * here, so that what it last set does not say what stands.
 */
export interface UserPreferencesState {
  readonly hasValues: boolean;
}

const decide = ({ hasValues }: UserPreferencesState, command: UserPreferencesCommand): readonly PreferenceEvent[] => {
  switch (command.type) {
    case 'set': {
      const { userId, preferenceId, value } = command;
      return [preferenceSet({ userId, preferenceId, value })];
    }
    case 'set-several':
      return command.values.map((one) => preferenceSet({ userId: command.userId, ...one }));
    case 'forget':
      return hasValues ? [preferencesForgotten({ userId: command.userId })] : [];
    default:
      return command satisfies never;
  }
};

/** The preferences of one account, by its id. */
export const userPreferences: Aggregate<UserPreferencesState, UserPreferencesCommand, PreferenceEvent> = {
  context: 'social',
  kind: 'user-preferences',
  initialState: { hasValues: false },
  decide,
  evolve: (_state, event) => ({ hasValues: event.type !== 'PreferencesForgotten' }),
};
