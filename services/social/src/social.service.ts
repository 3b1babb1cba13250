import {
  eachUserKey,
  jetStreamUserKeys,
  type Running,
  type ServiceDefinition,
  type ServiceDependencies,
  type UserKeys,
} from '@continuo/chassis';
import { accessListProjection } from './access/access-list.projection.js';
import { activityProjection } from './activity/activity.projection.js';
import { annotationsProjection } from './annotation/annotations.projection.js';
import { opinionsInView } from './annotation/opinions-in-view.js';
import { socialConfig, type SocialConfig } from './config.js';
import { createFirstAdministrator, shipAccessList, type FirstAdministrator } from './first-start.js';
import { postgresShareIds, shareIdMigration } from './share/share-ids.js';
import { shareSecrets } from './share/share-secrets.js';
import type { ShareTools } from './share/share.controller.js';
import { sharesProjection } from './share/shares.projection.js';
import { remarksProjection } from './shout/remarks.projection.js';
import { preferencesProjection } from './preference/preferences.projection.js';
import { SocialModule } from './social.module.js';
import { AccountSecrets } from './user/account-secrets.js';
import { accountsProjection } from './user/accounts.projection.js';
import { accountsInView } from './user/accounts-in-view.js';
import type { MailTools } from './user/mail/mail-tools.js';
import { smtpMailer } from './user/mail/mailer.js';
import { postgresUserIds, userIdMigration } from './user/user-ids.js';
import { catalogGroupsProjection } from './visibility/catalog-groups.projection.js';
import { deliveryJournalMigration } from './webhook/delivery/delivery-journal.js';
import { webhookIdMigration } from './webhook/webhook-ids.js';
import { createWebhooks, type Webhooks } from './webhook/webhook-tools.js';
import { webhooksProjection } from './webhook/webhooks.projection.js';

type Dependencies = ServiceDependencies<SocialConfig>;

/** What a program that runs the service may want to be told. */
export interface SocialServiceOptions {
  /** Called once, at the very first start, on the replica that made the administrator: the only chance to show a made-up password. */
  readonly onFirstAdministrator?: (administrator: FirstAdministrator, deps: Dependencies) => void | Promise<void>;
}

const userKeys = ({ nats, config, secrets }: Dependencies): UserKeys =>
  jetStreamUserKeys({ nats, secret: secrets, replicas: config.NATS_REPLICAS });

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const accountTools = (deps: Dependencies): MailTools => {
  const { config } = deps;
  const mailer = config.SMTP_URL === undefined ? undefined : smtpMailer({ url: config.SMTP_URL, from: config.MAIL_FROM });
  const confirmationLifetimeMs = mailer && config.REGISTRATION_CONFIRMATION ? config.MAIL_TOKEN_HOURS * HOUR_MS : undefined;
  return {
    aggregates: deps.aggregates,
    secrets: new AccountSecrets({ secret: deps.secrets, sealer: deps.sealer, userKeys: userKeys(deps) }),
    userIds: postgresUserIds(deps.db),
    accounts: accountsInView(deps.db),
    mailer,
    sender: { publicUrl: config.PUBLIC_URL?.replace(/\/+$/, ''), hasAccountPage: config.ACCOUNT_PAGE },
    settings: { lifetimeMs: config.MAIL_TOKEN_HOURS * HOUR_MS, pauseMs: config.PASSWORD_RECOVERY_PAUSE_MINUTES * MINUTE_MS },
    signUp: { isOpen: config.ALLOW_PUBLIC_REGISTRATION, needsApproval: config.REGISTRATION_APPROVAL, confirmationLifetimeMs },
    now: deps.now,
  };
};

const shareTools = (deps: Dependencies): ShareTools => ({
  aggregates: deps.aggregates,
  ids: postgresShareIds(deps.db),
  secrets: shareSecrets({ secret: deps.secrets, sealer: deps.sealer }),
  keys: userKeys(deps),
});

const knownWebhooks = new WeakMap<Dependencies, Webhooks>();

/** The webhooks of one running service: its handlers and what runs beside them share the way out. */
const webhooksOf = (deps: Dependencies): Webhooks => {
  const known = knownWebhooks.get(deps) ?? createWebhooks(deps);
  knownWebhooks.set(deps, known);
  return known;
};

/** Services that ran on after a change of the secret have made keys under the one before; the ring opens them, but they belong under the current one. */
const wrapLateKeys = async ({ nats, log, config, secrets }: Dependencies): Promise<void> => {
  try {
    await eachUserKey({ nats, secret: secrets, replicas: config.NATS_REPLICAS }, { rewrap: true });
  } catch (err) {
    log.warn(
      { err },
      'keys of accounts were not all wrapped under the current secret; the next start, or "continuo secrets rotate", goes on',
    );
  }
};

const firstStart = async (deps: Dependencies, { onFirstAdministrator }: SocialServiceOptions): Promise<Running> => {
  await wrapLateKeys(deps);
  await shipAccessList(deps);
  const administrator = await createFirstAdministrator(deps, accountTools(deps));
  if (administrator) await onFirstAdministrator?.(administrator, deps);
  return webhooksOf(deps).start();
};

/** The social service: accounts, credentials, the access list, ratings and favourites. Owns `EV_IDENTITY`, `EV_SOCIAL` and the schema `social`. */
export const createSocialService = (options: SocialServiceOptions = {}): ServiceDefinition<SocialConfig> => ({
  name: 'social',
  config: socialConfig,
  contexts: ['identity', 'social'],
  schema: 'social',
  migrations: [userIdMigration, shareIdMigration, webhookIdMigration, deliveryJournalMigration],
  projections: (deps) => [
    accountsProjection(userKeys(deps), deps.log),
    accessListProjection,
    catalogGroupsProjection,
    annotationsProjection,
    preferencesProjection,
    activityProjection,
    remarksProjection(userKeys(deps), deps.log),
    sharesProjection(userKeys(deps), deps.log),
    webhooksProjection,
  ],
  module: (deps) =>
    SocialModule.over(deps.aggregates, accountTools(deps), shareTools(deps), {
      keys: userKeys(deps),
      opinions: opinionsInView(deps.db),
      webhooks: webhooksOf(deps).tools,
    }),
  start: (deps) => firstStart(deps, options),
});

/** The social service for programs that need no word about the first administrator. */
export const socialService = createSocialService();
