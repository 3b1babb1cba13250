import { decision, randomToken, type DecisionMeta, type ServiceDependencies } from '@continuo/chassis';
import { Rejection, SYSTEM_ACTOR } from '@continuo/contracts';
import { ACCESS_LIST_ID, accessList } from './access/access-list.decider.js';
import { shippedRules } from './access/shipped-rules.js';
import type { SocialConfig } from './config.js';
import { oneTimePassword } from './user/one-time-password.js';
import type { AccountTools } from './user/account-tools.js';
import { registerAs } from './user/register-user.js';
import { FIRST_USER_ID } from './user/user-ids.js';

/** The administrator that the first start made. */
export interface FirstAdministrator {
  readonly username: string;
  /** The password that was made up, to be shown once and kept nowhere; absent when it was preset. */
  readonly oneTimePassword?: string;
}

type FirstStartTools = Pick<ServiceDependencies<SocialConfig>, 'aggregates' | 'eventStore' | 'config' | 'now' | 'log'>;

const systemMeta = (now: () => number): DecisionMeta => {
  const id = randomToken();
  return { commandId: id, causationId: id, correlationId: id, actor: SYSTEM_ACTOR, at: now() };
};

/** Puts the shipped rows into an access list that never had any. */
export const shipAccessList = async ({ aggregates, now }: Pick<FirstStartTools, 'aggregates' | 'now'>): Promise<void> => {
  await aggregates.run([decision(accessList, ACCESS_LIST_ID, { type: 'ship', rules: shippedRules })], systemMeta(now));
};

/**
 * Makes the first administrator when the log knows no account at all. Of several replicas that start at once one makes it: its number is
 * fixed, and the log takes it once. The compatibility password is the login password, so that every client can log in at once.
 * @returns the administrator when this replica made it
 */
export const createFirstAdministrator = async (
  tools: FirstStartTools,
  registration: AccountTools,
): Promise<FirstAdministrator | undefined> => {
  const { config, eventStore, now, log } = tools;
  if ((await eventStore.lastPosition('identity')) > 0) return undefined;
  const username = config.CONTINUO_ADMIN_USER;
  const preset = config.CONTINUO_ADMIN_PASSWORD;
  const password = preset ?? oneTimePassword();
  const data = {
    username,
    password,
    compatPassword: password,
    apiKey: config.CONTINUO_ADMIN_API_KEY,
    access: 100 as const,
    fullNamePublic: false,
    disabled: false,
  };
  try {
    await registerAs(registration, FIRST_USER_ID, data, systemMeta(now));
  } catch (error) {
    if (error instanceof Rejection && (error.code === 'conflict' || error.code === 'user.name-taken')) return undefined;
    throw error;
  }
  log.info({ userId: FIRST_USER_ID }, 'the first administrator was created');
  return { username, ...(preset === undefined ? { oneTimePassword: password } : {}) };
};
