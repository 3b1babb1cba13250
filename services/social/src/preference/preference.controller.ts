import {
  decision,
  decisionMeta,
  done,
  HandlesCommand,
  HandlesEvents,
  KeyedMutex,
  AGGREGATES,
  type AggregateRunner,
  type Decision,
  type JobDelivery,
  type RecordedOf,
  type CommandOf,
  type AnswerTo,
} from '@continuo/chassis';
import {
  definePreference,
  preferenceDefined,
  Rejection,
  removePreference,
  setPreference,
  setUserPreferences,
  userDeleted,
  type PreferenceDefinition,
} from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { preferenceNamed, preferences, PREFERENCES_ID, valueFor, type PreferencesCommand } from './preferences.decider.js';
import { userPreferences } from './user-preferences.decider.js';

const ofServer = (command: PreferencesCommand): Decision => decision(preferences, PREFERENCES_ID, command);

/** Aggregate that decides on a value: the account, or the server's preferences for values of the server. */
const setting = (
  { id: preferenceId, category }: PreferenceDefinition,
  holder: z.output<typeof setPreference.schema>['holder'],
  value: string,
): Decision => {
  if (holder === 'everybody') return ofServer({ type: 'set-for-all', preferenceId, value });
  if (holder === 'default' || category === 'system') return ofServer({ type: 'set', preferenceId, value });
  return decision(userPreferences, holder.userId, { type: 'set', userId: holder.userId, preferenceId, value });
};

/** Answers the commands about preferences. */
@Controller()
export class PreferenceController {
  readonly #mutex = new KeyedMutex();

  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRunner) {}

  /** Gives a preference a value. */
  @HandlesCommand(setPreference)
  async set(message: CommandOf<typeof setPreference>): AnswerTo<typeof setPreference> {
    const { name, value, holder } = message.data;
    const { state } = await this.aggregates.load(preferences, PREFERENCES_ID);
    const preference = preferenceNamed(state, name);
    const decided = setting(preference, holder, valueFor(preference, value));
    // Clients save whole pages of settings at once, one call each: those of one account take turns instead of conflicting.
    return done(this.#mutex.run(Number(decided.id), () => this.aggregates.run([decided], decisionMeta(message))));
  }

  /** Gives several preferences of an account their values. @throws Rejection `input.invalid` for one that accounts have no value of */
  @HandlesCommand(setUserPreferences)
  async setSeveral(message: CommandOf<typeof setUserPreferences>): AnswerTo<typeof setUserPreferences> {
    const { userId, values } = message.data;
    const { state } = await this.aggregates.load(preferences, PREFERENCES_ID);
    const kept = values.map(({ name, value }) => {
      const preference = preferenceNamed(state, name);
      if (preference.category === 'system') throw new Rejection('input.invalid', `${name} is the server's`, 'name');
      return { preferenceId: preference.id, value: valueFor(preference, value) };
    });
    const decided = decision(userPreferences, userId, { type: 'set-several', userId, values: kept });
    return done(this.#mutex.run(Number(userId), () => this.aggregates.run([decided], decisionMeta(message))));
  }

  /** Deletes the values of deleted accounts. */
  @HandlesEvents('identity', 'forget-preferences', [userDeleted], { startFrom: 'all', aggregates: ['user'] })
  async forget({ id, at, data: { userId } }: RecordedOf<typeof userDeleted>, delivery: JobDelivery): Promise<void> {
    const { actor, correlationId, causationId } = delivery;
    const meta = { actor, correlationId, causationId, commandId: id, at };
    await this.aggregates.run([decision(userPreferences, userId, { type: 'forget', userId })], meta);
  }

  /** Makes a preference of the operator's own. */
  @HandlesCommand(definePreference)
  async define(message: CommandOf<typeof definePreference>): AnswerTo<typeof definePreference> {
    const { events, position } = await this.aggregates.run([ofServer({ type: 'define', preference: message.data })], decisionMeta(message));
    const { preferenceId } = preferenceDefined.schema.parse(events.flat()[0]?.data);
    return { result: { preferenceId }, positions: position ? [position] : [] };
  }

  /** Removes a preference of the operator's own. */
  @HandlesCommand(removePreference)
  async remove(message: CommandOf<typeof removePreference>): AnswerTo<typeof removePreference> {
    return done(this.aggregates.run([ofServer({ type: 'remove', name: message.data.name })], decisionMeta(message)));
  }
}
