import {
  type AggregateRunner,
  decision,
  type Decision,
  decisionMeta,
  HandlesCommand,
  HandlesEvents,
  InTurn,
  type JobDelivery,
  type RecordedOf,
  type CommandOf,
  type AnswerTo,
} from '@continuo/chassis';
import {
  definePreference,
  preferenceDefined,
  removePreference,
  setPreference,
  userDeleted,
  type PreferenceDefinition,
} from '@continuo/contracts';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { AGGREGATES } from '../access/access-list.controller.js';
import { preferenceNamed, preferences, PREFERENCES_ID, valueFor, type PreferencesCommand } from './preferences.decider.js';
import { userPreferences } from './user-preferences.decider.js';

const ofServer = (command: PreferencesCommand): Decision => decision(preferences, PREFERENCES_ID, command);

/** Who decides on a value: the account, or for what is the server's the server's preferences. */
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
  readonly #turns = new InTurn();

  constructor(@Inject(AGGREGATES) private readonly aggregates: AggregateRunner) {}

  /** Gives a preference a value. */
  @HandlesCommand(setPreference)
  async set(message: CommandOf<typeof setPreference>): AnswerTo<typeof setPreference> {
    const { name, value, holder } = message.data;
    const { state } = await this.aggregates.load(preferences, PREFERENCES_ID);
    const preference = preferenceNamed(state, name);
    const decided = setting(preference, holder, valueFor(preference, value));
    // Clients save whole pages of settings at once, one call each: those of one account take turns instead of conflicting.
    const { position } = await this.#turns.run(Number(decided.id), () => this.aggregates.run([decided], decisionMeta(message)));
    return { result: {}, positions: position ? [position] : [] };
  }

  /** Takes the values of whoever was deleted away. */
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
    const { position } = await this.aggregates.run([ofServer({ type: 'remove', name: message.data.name })], decisionMeta(message));
    return { result: {}, positions: position ? [position] : [] };
  }
}
