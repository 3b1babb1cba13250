import type { Aggregate } from '@continuo/chassis';
import { preferenceSet, type PreferenceEvent, type UserId } from '@continuo/contracts';

/** An account sets a value of its own. */
export interface SetOwnPreference {
  readonly userId: UserId;
  readonly preferenceId: number;
  readonly value: string;
}

/**
 * The preferences of one account, by its id. It remembers nothing: a value that was set for everybody has taken its own away without a word here, so
 * that what it last set does not say what stands.
 */
export const userPreferences: Aggregate<null, SetOwnPreference, PreferenceEvent> = {
  context: 'social',
  kind: 'user-preferences',
  initialState: null,
  decide: (_state, own) => [preferenceSet({ ...own })],
  evolve: (state) => state,
};
