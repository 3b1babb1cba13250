import type { AggregateRunner, UserKeys } from '@continuo/chassis';
import { Module, type DynamicModule } from '@nestjs/common';
import { AccessListController, AGGREGATES } from './access/access-list.controller.js';
import { AnnotationController } from './annotation/annotation.controller.js';
import { ForgottenOpinionsController, OPINIONS } from './annotation/forgotten-opinions.controller.js';
import type { OpinionsInView } from './annotation/opinions-in-view.js';
import { PreferenceController } from './preference/preference.controller.js';
import { FollowController } from './follow/follow.controller.js';
import { SHARE_TOOLS, ShareController, type ShareTools } from './share/share.controller.js';
import { RemarksController, USER_KEYS } from './shout/remarks.controller.js';
import { AccountMailController, MAIL_TOOLS } from './user/account-mail.controller.js';
import type { MailTools } from './user/mail/mail-tools.js';
import { ExternalIdentityController } from './user/external-identity.controller.js';
import { ACCOUNT_TOOLS, UserController } from './user/user.controller.js';
import { VisibilityController } from './visibility/visibility.controller.js';
import { WEBHOOK_TOOLS, WebhookController } from './webhook/webhook.controller.js';
import type { WebhookTools } from './webhook/webhook-tools.js';

/** Accounts, the access list, ratings and favourites as a Nest module. */
@Module({})
export class SocialModule {
  /** The module over the chassis' aggregate runner and the tools of accounts, shares and webhooks, the users' keys and their opinions. */
  static over(
    aggregates: AggregateRunner,
    tools: MailTools,
    shareTools: ShareTools,
    { keys, opinions, webhooks }: { readonly keys: UserKeys; readonly opinions: OpinionsInView; readonly webhooks: WebhookTools },
  ): DynamicModule {
    return {
      module: SocialModule,
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
        RemarksController,
        ShareController,
        WebhookController,
      ],
      providers: [
        { provide: AGGREGATES, useValue: aggregates },
        { provide: ACCOUNT_TOOLS, useValue: tools },
        { provide: MAIL_TOOLS, useValue: tools },
        { provide: SHARE_TOOLS, useValue: shareTools },
        { provide: USER_KEYS, useValue: keys },
        { provide: OPINIONS, useValue: opinions },
        { provide: WEBHOOK_TOOLS, useValue: webhooks },
      ],
    };
  }
}
