import {
  decision,
  eachUserKey,
  randomToken,
  SERVICE_DEPENDENCIES,
  systemContext,
  type DecisionMeta,
  type ServiceDependencies,
} from '@continuo/chassis';
import { Rejection } from '@continuo/contracts';
import { Inject, type OnApplicationBootstrap } from '@nestjs/common';
import { ACCESS_LIST_ID, accessList } from './access/access-list.decider.js';
import { shippedRules } from './access/shipped-rules.js';
import type { SocialConfig } from './config.js';
import { oneTimePassword } from './user/one-time-password.js';
import type { AccountDependencies } from './user/account-dependencies.js';
import { ACCOUNT_DEPENDENCIES } from './user/user.controller.js';
import { registerAs } from './user/register-user.js';
import { Webhooks } from './webhook/webhook-dependencies.js';
import { FIRST_USER_ID } from './user/user-ids.js';

/** The administrator that the first start made. */
export interface FirstAdministrator {
  readonly username: string;
  /** The password that was made up, to be shown once and kept nowhere; absent when it was preset. */
  readonly oneTimePassword?: string;
}

/** Options for a program that runs the service. */
export interface SocialServiceOptions {
  /** Called once, at the very first start, on the replica that made the administrator: the only chance to show a made-up password. */
  readonly onFirstAdministrator?: (administrator: FirstAdministrator, deps: FirstStartDependencies) => void | Promise<void>;
}

/** Injection token of the {@link SocialServiceOptions}. */
export const FIRST_START_OPTIONS = Symbol('SocialServiceOptions');

type FirstStartDependencies = ServiceDependencies<SocialConfig>;

const systemMeta = (now: () => number): DecisionMeta => {
  const id = randomToken();
  return { ...systemContext(id), commandId: id, at: now() };
};

/** Puts the shipped rows into an access list that never had any. */
const shipAccessList = async ({ aggregates, now }: FirstStartDependencies): Promise<void> => {
  await aggregates.run([decision(accessList, ACCESS_LIST_ID, { type: 'ship', rules: shippedRules })], systemMeta(now));
};

/**
 * Makes the first administrator when the log knows no account at all. Of several replicas that start at once one makes it: its number is
 * fixed, and the log takes it once. The compatibility password is the login password, so that every client can log in at once.
 * @returns the administrator when this replica made it
 */
const createFirstAdministrator = async (
  tools: FirstStartDependencies,
  registration: AccountDependencies,
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

/** Services that ran on after a change of the secret have made keys under the one before; the ring opens them, but they belong under the current one. */
const wrapLateKeys = async ({ nats, log, config, secrets }: FirstStartDependencies): Promise<void> => {
  try {
    await eachUserKey({ nats, secret: secrets, replicas: config.NATS_REPLICAS }, { rewrap: true });
  } catch (err) {
    log.warn(
      { err },
      'keys of accounts were not all wrapped under the current secret; the next start, or "continuo secrets rotate", goes on',
    );
  }
};

/** Gives a new server its access list and its first administrator; then webhooks begin. */
export class FirstStart implements OnApplicationBootstrap {
  constructor(
    @Inject(SERVICE_DEPENDENCIES) private readonly deps: FirstStartDependencies,
    @Inject(ACCOUNT_DEPENDENCIES) private readonly accounts: AccountDependencies,
    @Inject(Webhooks) private readonly webhooks: Webhooks,
    @Inject(FIRST_START_OPTIONS) private readonly options: SocialServiceOptions,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await wrapLateKeys(this.deps);
    await shipAccessList(this.deps);
    const administrator = await createFirstAdministrator(this.deps, this.accounts);
    if (administrator) await this.options.onFirstAdministrator?.(administrator, this.deps);
    await this.webhooks.start();
  }
}
