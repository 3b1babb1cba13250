import type { AggregateRunner, UserKeys } from '@continuo/chassis';
import { Module, type DynamicModule } from '@nestjs/common';
import { AccessListController, AGGREGATES } from './access/access-list.controller.js';
import { AnnotationController } from './annotation/annotation.controller.js';
import { PreferenceController } from './preference/preference.controller.js';
import { FollowController } from './follow/follow.controller.js';
import { SHARE_TOOLS, ShareController, type ShareTools } from './share/share.controller.js';
import { RemarksController, USER_KEYS } from './shout/remarks.controller.js';
import { AccountMailController, MAIL_TOOLS } from './user/account-mail.controller.js';
import type { MailTools } from './user/mail/mail-tools.js';
import { ExternalIdentityController } from './user/external-identity.controller.js';
import { ACCOUNT_TOOLS, UserController } from './user/user.controller.js';
import { VisibilityController } from './visibility/visibility.controller.js';

/** Accounts, the access list, ratings and favourites as a Nest module. */
@Module({})
export class SocialModule {
  /** The module over the chassis' aggregate runner and the tools of accounts and shares, and the users' keys. */
  static over(aggregates: AggregateRunner, tools: MailTools, shareTools: ShareTools, keys: UserKeys): DynamicModule {
    return {
      module: SocialModule,
      controllers: [
        UserController,
        ExternalIdentityController,
        AccountMailController,
        AccessListController,
        VisibilityController,
        AnnotationController,
        PreferenceController,
        FollowController,
        RemarksController,
        ShareController,
      ],
      providers: [
        { provide: AGGREGATES, useValue: aggregates },
        { provide: ACCOUNT_TOOLS, useValue: tools },
        { provide: MAIL_TOOLS, useValue: tools },
        { provide: SHARE_TOOLS, useValue: shareTools },
        { provide: USER_KEYS, useValue: keys },
      ],
    };
  }
}
