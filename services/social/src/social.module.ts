import { DATABASE, requireRoom, SERVICE_DEPENDENCIES, type ServiceDependencies } from '@continuo/chassis';
import { Module, type DynamicModule } from '@nestjs/common';
import { AccessListController } from './access/access-list.controller.js';
import { AnnotationController } from './annotation/annotation.controller.js';
import { ForgottenOpinionsController, OPINIONS } from './annotation/forgotten-opinions.controller.js';
import { annotationReads } from './annotation/annotation-reads.js';
import type { SocialConfig } from './config.js';
import { FIRST_START_OPTIONS, FirstStart, type SocialServiceOptions } from './first-start.js';
import { OperationController } from './operation/operation.controller.js';
import { PreferenceController } from './preference/preference.controller.js';
import { FollowController } from './follow/follow.controller.js';
import { SHARE_DEPENDENCIES, ShareController, type ShareDependencies } from './share/share.controller.js';
import { CommentsController } from './shout/comments.controller.js';
import { AccountMailController, MAIL_DEPENDENCIES } from './user/account-mail.controller.js';
import { AccountSecrets } from './user/account-secrets.js';
import { accountReads } from './user/account-reads.js';
import { postgresShareIds } from './share/share-ids.js';
import { shareSecrets } from './share/share-secrets.js';
import { smtpMailer } from './user/mail/mailer.js';
import { postgresUserIds } from './user/user-ids.js';
import type { MailDependencies } from './user/mail/mail-dependencies.js';
import { ExternalIdentityController } from './user/external-identity.controller.js';
import { ACCOUNT_DEPENDENCIES, UserController } from './user/user.controller.js';
import { VisibilityController } from './visibility/visibility.controller.js';
import { WEBHOOK_DEPENDENCIES, WebhookController } from './webhook/webhook.controller.js';
import { Webhooks } from './webhook/webhook-dependencies.js';

type Dependencies = ServiceDependencies<SocialConfig>;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const accountDependencies = (deps: Dependencies): MailDependencies => {
  const { config } = deps;
  const mailer = config.SMTP_URL === undefined ? undefined : smtpMailer({ url: config.SMTP_URL, from: config.MAIL_FROM });
  const confirmationLifetimeMs = mailer && config.REGISTRATION_CONFIRMATION ? config.MAIL_TOKEN_HOURS * HOUR_MS : undefined;
  return {
    aggregates: deps.aggregates,
    secrets: new AccountSecrets({ secret: deps.secrets, sealer: deps.sealer, userKeys: deps.userKeys }),
    userIds: postgresUserIds(deps.db),
    mostApiKeys: config.API_KEYS_PER_ACCOUNT,
    accounts: accountReads(deps.db),
    mailer,
    sender: { publicUrl: config.PUBLIC_URL?.replace(/\/+$/, ''), hasAccountPage: config.ACCOUNT_PAGE },
    settings: { lifetimeMs: config.MAIL_TOKEN_HOURS * HOUR_MS, pauseMs: config.PASSWORD_RECOVERY_PAUSE_MINUTES * MINUTE_MS },
    signUp: { isOpen: config.ALLOW_PUBLIC_REGISTRATION, needsApproval: config.REGISTRATION_APPROVAL, confirmationLifetimeMs },
    now: deps.now,
  };
};

const shareDependencies = (deps: Dependencies): ShareDependencies => ({
  aggregates: deps.aggregates,
  ids: postgresShareIds(deps.db),
  requireRoom: (userId) =>
    requireRoom(deps.db, userId, { table: 'social.share', owner: 'user_id', name: 'shares', most: deps.config.SHARES_PER_ACCOUNT }),
  secrets: shareSecrets({ secret: deps.secrets, sealer: deps.sealer }),
  keys: deps.userKeys,
});

/** The command handlers of the social service, their providers, and its work in the background. */
@Module({
  controllers: [
    UserController,
    ExternalIdentityController,
    AccountMailController,
    AccessListController,
    VisibilityController,
    AnnotationController,
    ForgottenOpinionsController,
    PreferenceController,
    FollowController,
    CommentsController,
    ShareController,
    WebhookController,
    OperationController,
  ],
  providers: [
    FirstStart,
    Webhooks,
    { provide: MAIL_DEPENDENCIES, useFactory: accountDependencies, inject: [SERVICE_DEPENDENCIES] },
    { provide: ACCOUNT_DEPENDENCIES, useExisting: MAIL_DEPENDENCIES },
    { provide: SHARE_DEPENDENCIES, useFactory: shareDependencies, inject: [SERVICE_DEPENDENCIES] },
    { provide: OPINIONS, useFactory: annotationReads, inject: [DATABASE] },
    { provide: WEBHOOK_DEPENDENCIES, useFactory: ({ tools }: Webhooks) => tools, inject: [Webhooks] },
  ],
})
export class SocialModule {
  /** The module for a program that wants to know of the first administrator. */
  static with(options: SocialServiceOptions): DynamicModule {
    return { module: SocialModule, providers: [{ provide: FIRST_START_OPTIONS, useValue: options }] };
  }
}
