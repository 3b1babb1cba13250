import { decision, type DecisionMeta, type Handled } from '@continuo/chassis';
import { Rejection, type LogPosition, type UserId } from '@continuo/contracts';
import { readMailedToken } from './account-secrets.js';
import type { AccountDependencies } from './account-dependencies.js';
import { passwordLetter } from './mail/letters.js';
import type { Mailer } from './mail/mailer.js';
import { oneTimePassword } from './one-time-password.js';
import { user } from './user.decider.js';

/** Dependencies of password recovery. */
export interface RecoveryDependencies extends AccountDependencies {
  readonly mailer: Mailer | undefined;
  readonly settings: { readonly lifetimeMs: number; readonly pauseMs: number };
}

const ADMINISTRATOR = 100;
const none: readonly LogPosition[] = [];

/** Writes a token down, which a reactor then mails; nothing else about the account changes. */
const requestReset = async ({ aggregates, secrets, settings }: RecoveryDependencies, userId: UserId, meta: DecisionMeta): Promise<void> => {
  const request = { userId, commandId: meta.commandId ?? meta.correlationId, atMs: meta.at };
  const token = secrets.mailedToken(request, settings.lifetimeMs);
  await aggregates.run([decision(user, userId, { type: 'request-reset', userId, token, nowMs: meta.at, pauseMs: settings.pauseMs })], meta);
};

/** Mails another password, then sets it: a mail that cannot be sent leaves token and password as they are. */
const reset = async (tools: RecoveryDependencies, mailer: Mailer, token: string, meta: DecisionMeta): Promise<readonly LogPosition[]> => {
  const named = readMailedToken(token);
  if (!named) return none;
  const { userId, tokenSha256 } = named;
  const { state } = await tools.aggregates.load(user, userId);
  const good = state.reset?.tokenSha256 === tokenSha256 && meta.at < state.reset.expiresAtMs;
  if (!good || state.disabled || state.access === ADMINISTRATOR) return none;
  const profile = await tools.secrets.openProfile(userId, state.sealedProfile);
  if (profile?.email === undefined) return none;
  const password = oneTimePassword();
  const sealed = await tools.secrets.sealPassword({ password });
  await mailer.send(passwordLetter({ username: profile.username, email: profile.email }, password));
  const { position } = await tools.aggregates.run(
    [decision(user, userId, { type: 'reset-password', userId, tokenSha256, nowMs: meta.at, password: sealed })],
    meta,
  );
  return position ? [position] : none;
};

/**
 * Takes one step of recovering a password: name and address lead to a mail with a token, the token to a mail with a password. No answer tells whether there is such an
 * account or token.
 * @throws Rejection `feature.disabled` when no mail can be sent
 */
export const recover = async (tools: RecoveryDependencies, proof: string, meta: DecisionMeta): Promise<Handled<Record<string, never>>> => {
  const { mailer, accounts } = tools;
  if (!mailer) throw new Rejection('feature.disabled', 'this server sends no mail', 'mail');
  if (!/^[0-9a-f]{64}$/i.test(proof)) return { result: {}, positions: await reset(tools, mailer, proof, meta) };
  const userId = await accounts.byRecoveryProof(proof.toLowerCase());
  if (userId !== undefined) await requestReset(tools, userId, meta);
  return { result: {}, positions: none };
};
