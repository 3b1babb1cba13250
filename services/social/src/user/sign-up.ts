import { decision, type DecisionMeta, type Handled } from '@continuo/chassis';
import { Rejection, type confirmEmail, type signUp } from '@continuo/contracts';
import type { z } from 'zod';
import { readMailedToken } from './account-secrets.js';
import type { AccountDependencies } from './account-dependencies.js';
import { register } from './register-user.js';
import { user } from './user.decider.js';

/** Conditions of signing up. */
export interface SignUpSettings {
  /** True when anybody may sign up. */
  readonly isOpen: boolean;
  /** True when an administrator has to approve. */
  readonly needsApproval: boolean;
  /** Validity of a mailed token, ms; undefined when no mail can be sent: then addresses are not confirmed. */
  readonly confirmationLifetimeMs: number | undefined;
}

const USER = 25;

/**
 * Makes an account for a stranger.
 * @throws Rejection `feature.disabled`, `user.name-taken`, `user.email-taken`
 */
export const signUpUser = async (
  tools: AccountDependencies,
  settings: SignUpSettings,
  data: z.output<typeof signUp.schema>,
  meta: DecisionMeta,
): Promise<Handled<z.output<typeof signUp.result>>> => {
  if (!settings.isOpen) throw new Rejection('feature.disabled', 'nobody may sign up here', 'allow_public_registration');
  const confirms = settings.confirmationLifetimeMs !== undefined;
  const awaiting = confirms ? 'confirmation' : settings.needsApproval ? 'approval' : undefined;
  const { positions } = await register(
    tools,
    {
      ...data,
      access: USER,
      fullNamePublic: false,
      disabled: false,
      ...(awaiting === undefined ? {} : { awaiting }),
      ...(settings.confirmationLifetimeMs === undefined ? {} : { confirmationLifetimeMs: settings.confirmationLifetimeMs }),
    },
    meta,
  );
  return { result: { awaiting: awaiting ?? null }, positions };
};

/**
 * Takes a mailed token back.
 * @throws Rejection `input.invalid` for one that is unknown, used or too old, whichever it is
 */
export const confirmAddress = async (
  tools: AccountDependencies,
  settings: SignUpSettings,
  token: string,
  meta: DecisionMeta,
): Promise<Handled<z.output<typeof confirmEmail.result>>> => {
  const named = readMailedToken(token);
  const unusable = new Rejection('input.invalid', 'the token is unknown, used or too old', 'token');
  if (!named) throw unusable;
  const command = { type: 'confirm-email', ...named, nowMs: meta.at, awaitsApproval: settings.needsApproval } as const;
  try {
    const { position } = await tools.aggregates.run([decision(user, named.userId, command)], meta);
    return { result: { awaiting: settings.needsApproval ? 'approval' : null }, positions: position ? [position] : [] };
  } catch (error) {
    throw error instanceof Rejection && error.code === 'user.not-found' ? unusable : error;
  }
};
